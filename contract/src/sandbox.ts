import Type, { type Static } from 'typebox'
import { optional } from './fields.ts'

export const SandboxPayBody = Type.Object(
  {
    outcome: optional(
      Type.Enum(['completed', 'insufficient_balance', 'error'], {
        description: 'The outcome. By default `completed`.',
      }),
    ),
    donation_amount: optional(
      Type.Number({ minimum: 0, description: 'A donation by the payer.', examples: [0.5] }),
    ),
  },
  { title: 'SandboxPayBody' },
)
export type SandboxPayBody = Static<typeof SandboxPayBody>
