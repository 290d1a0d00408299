import { PinLimitBody, PinLimits } from '@florin/contract/walletAccount.js'
import { formatMinor } from '../../core/money.ts'
import { setPinLimit } from '../../ops/pinLimits.ts'
import { listPinLimits, type PinLimit } from '../../sql/pinLimits.ts'
import { parsePinLimit } from '../kit/account/pinLimits.ts'
import type { OperatorCaller } from '../kit/audiences.ts'
import type { FieldProblem } from '../kit/http/validation.ts'
import { refuseInvalid, succeed } from '../kit/replies.ts'
import type { DeclareRoute } from '../kit/route.ts'

export function pinLimitRoutes(route: DeclareRoute<OperatorCaller>): void {
  route('GET /operator/pin-limits', {
    operationId: 'listPinLimits',
    summary: 'List PIN limits',
    permission: 'read',
    description: 'Lists the limits above which every wallet needs its PIN to pay.',
    data: PinLimits,
    handler: async ({ service, reply }) =>
      succeed(reply, 'PIN limits', view(await listPinLimits(service.database))),
  })

  route('PUT /operator/pin-limits', {
    operationId: 'setPinLimit',
    summary: 'Set a PIN limit',
    permission: 'admin',
    needsConfirmation: true,
    description:
      'Sets the limit of one currency. Paying more, donation included, needs the PIN of the wallet. The limit applies on every process within 5 seconds.',
    body: PinLimitBody,
    data: PinLimits,
    handler: async ({ service, caller, body, reply }) => {
      const problems: FieldProblem[] = []
      const limit = parsePinLimit(body, '', problems)
      if (limit === null) return refuseInvalid(reply, problems)
      const limits = await setPinLimit(service.database, caller.actor, limit)
      service.pinLimits.forgetAll()
      return succeed(reply, 'PIN limit set', view(limits))
    },
  })
}

const view = (limits: readonly PinLimit[]) => ({
  limits: limits.map(({ currency, amount }) => ({
    currency,
    amount: formatMinor(amount, currency),
  })),
})
