import type { PinAttempt } from '../../src/ops/walletSessions.ts'
import type { TestService } from './testService.ts'

/** A sign-in attempt from an unknown device and an IP address without failed attempts. */
export function pinAttempt({ service }: TestService, phone: string, pin: string): PinAttempt {
  const { secretKey, pepper, mail, clock } = service
  const admit = () => ({ slots: 'ordinary' as const, uncount: () => {} })
  const origin = { requestId: null }
  const now = clock.now()
  return { phone, pin, deviceToken: null, secretKey, now, pepper, mail, origin, admit }
}
