import type { TestService } from './testService.ts'

/** The security events of an account, oldest first. */
export const eventsOf = ({ database }: TestService, accountId: string) =>
  database.query<{ kind: string; details: unknown }>(
    'select kind, details from security_event where account_id = $1 order by event_id',
    [accountId],
  )

export const eventKindsOf = async (t: TestService, accountId: string): Promise<string[]> =>
  (await eventsOf(t, accountId)).map(({ kind }) => kind)
