import type { PinAttempt } from '../../src/ops/walletSessions.ts'
import type { TestService } from './testService.ts'

/** An attempt from an unknown device at an address without failures. */
export function pinAttempt({ service }: TestService, phone: string, pin: string): PinAttempt {
  const { secretKey, pepper, mail, clock } = service
  const admit = () => ({ slots: 'ordinary' as const, uncount: () => {} })
  const origin = { requestId: null }
  const now = clock.now()
  return { phone, pin, deviceToken: null, secretKey, now, pepper, mail, origin, admit }
}
