/** How far to replay the log: to a time on a timeline, to its end, or until the backup is consistent. */
export type Target = { readonly at: Date; readonly timeline: number } | 'latest' | 'immediate'

/** Without an archive, only the log inside the backup is replayed. */
export type Recovery = { readonly archive: string | null; readonly target: Target }

/** Quotes a path for the shell and for PostgreSQL, which replaces placeholders such as %p. */
const quotePath = (path: string) => `'${path.replaceAll("'", `'\\''`)}'`.replaceAll('%', '%%')

/**
 * Stores every segment of the log in a folder. Never overwrites a file: an identical one is a success, a
 * different one an error, which PostgreSQL logs and retries. A file gets its name after it is complete and
 * synced. Each run checks the owner of the archive, because the folder may be on another disk by now or
 * may have been taken over.
 */
const archiveCommand = (folder: string, id: string) =>
  `umask 077; to=${quotePath(folder)}; test "$(cat "$to/owner")" = ${id} || exit 1; ` +
  `if test -e "$to/%f.gz"; ` +
  `then gzip -dc "$to/%f.gz" | cmp -s - "%p"; ` +
  `else gzip -1 -c "%p" > "$to/.%f.part" && sync "$to/.%f.part" && ` +
  `mv "$to/.%f.part" "$to/%f.gz" && sync "$to"; fi`

const restoreCommand = (folder: string) =>
  `from=${quotePath(folder)}/%f.gz; test -e "$from" && gzip -dc "$from" > "%p"`

/** A quiet shop may take hours to fill a segment of 16 MB. The timeout limits a loss to one minute. */
export const archiveSettings = (folder: string, id: string): Record<string, string> => ({
  archive_mode: 'on',
  archive_command: archiveCommand(folder, id),
  archive_timeout: '60s',
})

/** For a command that doesn't know the archive: the log waits next to the data until the service archives it. */
export const WAITING_SETTINGS = { archive_mode: 'on', archive_command: '' }

/**
 * Replays the log and then starts a new timeline, so that its segments never have the names of archived ones.
 * Its own log is not archived until the restore succeeds.
 */
export function recoverySettings({ archive, target }: Recovery): Record<string, string> {
  const until =
    target === 'immediate'
      ? { recovery_target: 'immediate', recovery_target_timeline: 'current' }
      : target === 'latest'
        ? {}
        : {
            recovery_target_time: target.at.toISOString().replace('Z', '+00'),
            recovery_target_timeline: `${target.timeline}`,
          }
  return {
    // Refuse connections until the recovery target is reached.
    hot_standby: 'off',
    archive_mode: 'on',
    archive_command: '',
    restore_command: archive === null ? 'false' : restoreCommand(archive),
    recovery_target_action: 'promote',
    ...until,
  }
}
