import type { AccountState } from '@florin/contract/account.js'
import { createContext, useContext } from 'react'
import type { Problem, SendRequest } from '../request.ts'

/** The signed-in account, whether of a person or an operator. */
type SignedInAccount = {
  readonly state: AccountState
  readonly request: SendRequest
  /** Reads the session again, after a change of the password, the second factors or the store. */
  readonly refresh: () => Promise<void>
  readonly signOut: () => Promise<Problem | null>
}

export const AccountContext = createContext<SignedInAccount | null>(null)

export function useAccount(): SignedInAccount {
  const account = useContext(AccountContext)
  if (account === null) throw new Error('useAccount needs a SessionProvider')
  return account
}
