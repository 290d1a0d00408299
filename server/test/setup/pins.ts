import type { PinAttempt } from '../../src/ops/walletSessions.ts'
import type { TestService } from './testService.ts'

/** An attempt from an unknown device at an address without failures. */
export function pinAttempt({ service }: TestService, phone: string, pin: string): PinAttempt {
  const { secretKey, pepper } = service
  const admit = () => ({ slots: 'ordinary' as const, forgive: () => {} })
  return { phone, pin, mark: null, secretKey, pepper, admit }
}
