import { type Asked, useAnswer } from '../resource.ts'
import { useSession } from './session.tsx'

/** What a path of the store answers to who is signed in; see `useAnswer`. */
export function useAsked<Data>(path: string, everyMs?: number): Asked<Data> {
  return useAnswer(useSession().ask, path, everyMs)
}
