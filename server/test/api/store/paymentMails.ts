import { createPerson } from '../../setup/people.ts'
import { startTestService, type TestResponse, type TestService } from '../../setup/testService.ts'

/** Copies the audit entry of a payment, as if the same person had acted on many other payments. */
export const copyAuditEntry = (
  t: TestService,
  { paymentId, action, copies }: { paymentId: string; action: string; copies: number },
) =>
  t.database.transaction((tx) =>
    tx.execute(
      `insert into audit_log (at, actor, action, subject, request_id, act_id)
       select a.at, a.actor, a.action, 'payment:other', a.request_id, gen_random_uuid()
       from audit_log a, generate_series(1, $3::int)
       where a.subject = $1 and a.action = $2`,
      [`payment:${paymentId}`, action, copies],
    ),
  )

/** Tries to email a receipt or a request with a service that has no mail server. */
export async function sendWithoutMailServer(kind: 'receipt' | 'request'): Promise<TestResponse> {
  const t = await startTestService()
  const { store, live } = await t.createStore()
  const { headers } = await createPerson(t, store, 'cashier')
  const { payment_id: id } = await t.createPayment(live)
  const path = `/store/live/payments/${id}/${kind}`
  const response = await t.call('POST', path, headers, { email: 'ada@example.com' })
  await t.close()
  return response
}
