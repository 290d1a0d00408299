import { decryptSecret } from '../../src/core/secrets.ts'
import type { TestService } from './testService.ts'

/** Settings that turn email on. Nothing listens on the port, so emails stay in the queue. */
export const WITH_MAIL = {
  FLORIN_SMTP_URL: 'smtp://127.0.0.1:1',
  FLORIN_MAIL_FROM: 'pay@example.com',
}

/** The emails to an address with their content, oldest first. */
export async function mailsTo({ database, service }: TestService, recipient: string) {
  const rows = await database.query<{ locale: string; content: Buffer }>(
    'select locale, content from mail where recipient = $1 order by mail_id',
    [recipient],
  )
  return rows.map(
    ({ locale, content }): Record<string, string> => ({
      locale,
      ...JSON.parse(decryptSecret(content, service.secretKey)),
    }),
  )
}
