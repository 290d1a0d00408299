import {
  IssuedToken,
  OperatorToken,
  TokenBody,
  TokenList,
  TokenParams,
  TokenQuery,
} from '@florin/contract/tokens.js'
import type { FastifyReply } from 'fastify'
import { parseTime } from '../../core/calendar.ts'
import {
  defaultTokenExpiry,
  latestTokenExpiry,
  MAX_TOKEN_DAYS,
  tokenFields,
} from '../../core/operator.ts'
import { storableId } from '../../core/text.ts'
import { createToken, revokeToken } from '../../ops/operatorTokens.ts'
import { countUpgradedTokens, listOperatorTokens } from '../../sql/operatorTokens.ts'
import type { OperatorCaller } from '../kit/audiences.ts'
import { pageOf, pageQuery, parseIdCursor } from '../kit/paging.ts'
import { refuse, refuseField, refuseInvalid, succeed } from '../kit/replies.ts'
import type { Call, DeclareRoute } from '../kit/route.ts'

export function tokenRoutes(route: DeclareRoute<OperatorCaller>): void {
  route('GET /operator/tokens', {
    operationId: 'listOperatorTokens',
    summary: 'List operator tokens',
    description: 'Lists the tokens of all owners, without their secrets.',
    permission: 'read',
    query: TokenQuery,
    data: TokenList,
    handler: getTokens,
  })

  route('POST /operator/tokens', {
    operationId: 'createOperatorToken',
    summary: 'Create an operator token',
    description:
      "Creates a bearer token for a program. It belongs to you, never allows more than your role, and stops working when your account is disabled. A token can't create one that expires later than itself.",
    permission: 'admin',
    needsConfirmation: true,
    body: TokenBody,
    data: IssuedToken,
    handler: issueToken,
  })

  route('DELETE /operator/tokens/:tokenId', {
    operationId: 'revokeOperatorToken',
    summary: 'Revoke an operator token',
    description: 'The token stops working on every process within 5 seconds.',
    permission: 'admin',
    needsConfirmation: true,
    params: TokenParams,
    hasOptionalBody: true,
    data: OperatorToken,
    handler: async ({ service, caller, params, reply }) => {
      const tokenId = storableId(params.tokenId)
      const revoked = await revokeToken(service.database, caller.actor, tokenId)
      service.operatorTokens.forgetAll()
      if (revoked === null) return refuse(reply, 'token_unknown')
      return succeed(reply, 'Token revoked', tokenFields(revoked, service.clock.now()))
    },
  })
}

type ListCall = Call<OperatorCaller, { query: TokenQuery; data: TokenList }>

async function getTokens({ service, query, reply }: ListCall): Promise<FastifyReply> {
  const { limit, cursor, problems } = pageQuery(query)
  const before = cursor(parseIdCursor('tok_'))
  if (problems.length > 0) return refuseInvalid(reply, problems)
  const { state = null } = query
  const [found, upgraded] = await Promise.all([
    listOperatorTokens(service.database, { state, before, limit: limit + 1 }),
    countUpgradedTokens(service.database),
  ])
  const { items, nextCursor } = pageOf(found, limit, (last) => last.tokenId)
  const now = service.clock.now()
  return succeed(reply, 'Tokens', {
    tokens: items.map((token) => tokenFields(token, now)),
    upgraded,
    next_cursor: nextCursor,
  })
}

type IssueCall = Call<OperatorCaller, { body: TokenBody; data: IssuedToken }>

async function issueToken({ service, caller, body, reply }: IssueCall): Promise<FastifyReply> {
  // A token without a known owner can't create others: they would have no known owner either.
  if (caller.owner.ownerName === 'unknown') return refuse(reply, 'permission_missing')
  const now = service.clock.now()
  const text = body.expires_at ?? null
  const expiresAt = text === null ? null : parseTime(text)
  // A stolen token must not replace itself with one that expires later.
  const ownEnd = caller.tokenExpiresAt
  const isOwnEndFirst = ownEnd !== null && ownEnd < latestTokenExpiry(now)
  const latest = isOwnEndFirst ? ownEnd : latestTokenExpiry(now)
  const isValid = expiresAt !== null && expiresAt > now && expiresAt <= latest
  if (text !== null && !isValid) {
    const range = isOwnEndFirst
      ? 'in the future, no later than the expiry of the token that you use'
      : `in the next ${MAX_TOKEN_DAYS} days`
    return refuseField(reply, 'expires_at', `must be a time ${range}`)
  }
  const defaultEnd = defaultTokenExpiry(now) < latest ? null : latest
  const fields = { label: body.label, scopes: body.scopes, expiresAt: expiresAt ?? defaultEnd }
  const result = await createToken(service, caller.actor, caller.owner, fields)
  if (result.kind === 'label_taken') {
    return refuseField(reply, 'label', 'belongs to another active token of the same owner')
  }
  const { token, secret } = result
  return succeed(reply, 'Token created', { ...tokenFields(token, now), token: secret })
}
