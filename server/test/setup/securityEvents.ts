import type { TestService } from './testService.ts'

/** The events of an account, oldest first. */
export async function eventsOf({ database }: TestService, accountId: string): Promise<string[]> {
  const rows = await database.query<{ kind: string }>(
    'select kind from security_event where account_id = $1 order by event_id',
    [accountId],
  )
  return rows.map(({ kind }) => kind)
}
