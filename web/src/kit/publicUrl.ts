import type { REFUSALS } from '@florin/contract/refusals.js'
import type { Problem } from './request.ts'

const CROSS_ORIGIN: (typeof REFUSALS)['cross_origin'][1] =
  'This request does not come from a page of this service'

/** The server accepts requests only from pages at its own address, and this page was opened at another one. */
export const isAtWrongAddress = ({ message }: Pick<Problem, 'message'>): boolean =>
  message === CROSS_ORIGIN

/** The address at which the service expects to be opened. */
export const publicUrl = (): string => document.getElementById('app')!.dataset.publicUrl!
