import type { StoreParams, WalletParams } from '@florin/contract/operator.js'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { parseStoreId, parseWalletId } from '../../core/ids.ts'
import type { Store } from '../../core/store.ts'
import type { Service } from '../../service.ts'
import { findStore } from '../../sql/stores.ts'
import { findWallet, type Wallet } from '../../sql/wallets.ts'
import { type Audience, OPERATOR, type OperatorCaller } from '../kit/audiences.ts'
import { refuse } from '../kit/replies.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The store or wallet that the path of an operator's request names. */
    subjectStore: Store | null
    subjectWallet: Wallet | null
  }
}

/** An operator and the store that the path names. */
export type StoreOperator = OperatorCaller & { readonly store: Store }
export const STORE_OPERATOR: Audience<StoreOperator> = {
  ...OPERATOR,
  callerOf: (request) => ({ ...OPERATOR.callerOf(request), store: request.subjectStore! }),
}

/** An operator and the wallet that the path names. */
export type WalletOperator = OperatorCaller & { readonly wallet: Wallet }
export const WALLET_OPERATOR: Audience<WalletOperator> = {
  ...OPERATOR,
  callerOf: (request) => ({ ...OPERATOR.callerOf(request), wallet: request.subjectWallet! }),
}

type Hook<Params> = (
  request: FastifyRequest<{ Params: Params }>,
  reply: FastifyReply,
) => Promise<FastifyReply | undefined>

/** Finds the store before the body is validated: an unknown store takes precedence over an invalid body. */
export const findSubjectStore =
  ({ database }: Service): Hook<StoreParams> =>
  async (request, reply) => {
    const storeId = parseStoreId(request.params.storeId)
    request.subjectStore = storeId && (await findStore(database, storeId))
    return request.subjectStore === null ? refuse(reply, 'store_unknown') : undefined
  }

/** Finds the wallet before the body is validated. */
export const findSubjectWallet =
  ({ database }: Service): Hook<WalletParams> =>
  async (request, reply) => {
    const { walletId } = request.params
    const number = parseWalletId(walletId)
    const wallet = number && (await findWallet(database, number))
    if (wallet?.publicId !== walletId) return refuse(reply, 'wallet_unknown')
    request.subjectWallet = wallet
    return undefined
  }
