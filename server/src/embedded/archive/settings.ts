/** How far the log is followed: to a moment of a timeline, to its end, or only until the copy is whole. */
export type Target = { readonly at: Date; readonly timeline: number } | 'latest' | 'immediate'

/** Without an archive there is only what came with the copy. */
export type Recovery = { readonly archive: string | null; readonly target: Target }

/** For the shell that PostgreSQL runs, which takes a percent sign for one of its own placeholders. */
const quoted = (path: string) => `'${path.replaceAll("'", `'\\''`)}'`.replaceAll('%', '%%')

/**
 * Keeps every segment of the log in a folder. What is there already is never written over: the same is done, and
 * anything else is an error that PostgreSQL tries again and says in its log. Only whole files that are on the disk get
 * their names. It is looked each time whose archive it is: another disk may be there now, or another may have taken it.
 */
const archiveCommand = (folder: string, id: string) =>
  `umask 077; to=${quoted(folder)}; test "$(cat "$to/owner")" = ${id} || exit 1; ` +
  `if test -e "$to/%f.gz"; ` +
  `then gzip -dc "$to/%f.gz" | cmp -s - "%p"; ` +
  `else gzip -1 -c "%p" > "$to/.%f.part" && sync "$to/.%f.part" && ` +
  `mv "$to/.%f.part" "$to/%f.gz" && sync "$to"; fi`

const restoreCommand = (folder: string) =>
  `from=${quoted(folder)}/%f.gz; test -e "$from" && gzip -dc "$from" > "%p"`

/** A segment has 16 MB, which a quiet shop does not fill for hours: as it is, at most a minute is missing. */
export const archiveSettings = (folder: string, id: string): Record<string, string> => ({
  archive_mode: 'on',
  archive_command: archiveCommand(folder, id),
  archive_timeout: '60s',
})

/**
 * Follows the log from a copy on and then begins a history of its own, so that nothing that it writes has the name of
 * what is in the archive already. Its own log is kept back until it is known whether it will be used.
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
    // Nobody is let in before it is where it should be.
    hot_standby: 'off',
    archive_mode: 'on',
    archive_command: '',
    restore_command: archive === null ? 'false' : restoreCommand(archive),
    recovery_target_action: 'promote',
    ...until,
  }
}
