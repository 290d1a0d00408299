import type { Tx } from '../database/database.ts'

type SignInGuard = { readonly failures: number; readonly lockedUntil: Date | null }

/** Waits for other sign-ins of the same subject, so that attempts are serialized. */
export async function lockSignInGuard(tx: Tx, subject: string) {
  // A single statement, because the row may be deleted between two. The update only locks the row.
  const rows = await tx.query<SignInGuard & { at: Date }>(
    `insert into sign_in_guard as g (subject, failures, last_at)
     values ($1, 0, clock_timestamp())
     on conflict (subject) do update set last_at = g.last_at
     returning g.failures, g.locked_until as "lockedUntil", clock_timestamp() as at`,
    [subject],
  )
  return rows[0]!
}

export async function setSignInGuard(tx: Tx, subject: string, guard: SignInGuard & { at: Date }) {
  await tx.execute(
    `update sign_in_guard
     set failures = $2, locked_until = $3, last_at = $4
     where subject = $1`,
    [subject, guard.failures, guard.lockedUntil, guard.at],
  )
}

export async function clearSignInGuard(tx: Tx, subject: string): Promise<void> {
  await tx.execute('delete from sign_in_guard where subject = $1', [subject])
}

/** Includes the guards of devices and sessions, whose names follow the subject and a space. */
export async function clearSignInGuards(tx: Tx, subject: string): Promise<void> {
  // The range is for the index, and is exact with the collation "C" of the column. `starts_with` keeps the guards of other
  // accounts if an administrator changes the collation: in others, subjects that continue with a dash are in the range too.
  await tx.execute(
    `delete from sign_in_guard
     where subject = $1
       or (subject > $1 || ' ' and subject < $1 || '!' and starts_with(subject, $1 || ' '))`,
    [subject],
  )
}
