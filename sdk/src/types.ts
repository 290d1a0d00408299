import type { PaymentStatus } from './responses.ts'

export type * from './responses.ts'

export type SettledStatus = Exclude<PaymentStatus, 'pending'>

export type CurrentStatus<Status extends PaymentStatus = PaymentStatus> = {
  payment_id: string
  status: Status
}

/** Parses a time of a response. `new Date` alone would read it as local time. */
export const toDate = (time: string): Date => new Date(`${time.replace(' ', 'T')}Z`)
