import { execFile, spawn } from 'node:child_process'
import { type Block, fileOf, PROGRAMS } from './blocks.ts'

const MARK = '@@ block '

export type Outcome = {
  readonly code: number | null
  readonly outputs: Map<number, string>
  readonly all: string
}

/**
 * Runs the shell blocks of a page in one shell, and saves and runs its programs in between. Stops background commands
 * at the end of the page.
 */
export async function runPage(
  blocks: readonly Block[],
  {
    cwd,
    env,
    usesNpx,
    timeoutMs = 240_000,
  }: { cwd: string; env: NodeJS.ProcessEnv; usesNpx: boolean; timeoutMs?: number },
): Promise<Outcome> {
  const script = [
    PROLOGUE,
    usesNpx ? '' : WITHOUT_NPX,
    ...blocks.map((block) => commandsOf(block, blocks)),
  ].join('\n')
  // The shell has a session of its own, which the timeout kills. Its jobs have other process groups, because of `set -m`.
  const shell = spawn('bash', ['-c', script], { cwd, env, detached: true })
  const timeout = setTimeout(() => {
    // Without `pkill`, end at least the shell.
    execFile('pkill', ['-KILL', '-s', String(shell.pid)], () => shell.kill('SIGKILL'))
  }, timeoutMs)
  let all = ''
  shell.stdout.on('data', (chunk) => (all += chunk))
  shell.stderr.on('data', (chunk) => (all += chunk))
  const code = await new Promise<number | null>((resolve) => shell.on('close', resolve))
  clearTimeout(timeout)
  const parts = all.split(MARK).slice(1)
  const outputs = new Map(
    parts.map((part) => [Number.parseInt(part, 10), part.slice(part.indexOf('\n') + 1)]),
  )
  return { code, outputs, all }
}

// With job control (`set -m`), each job is a process group, so that `finish` can stop background commands and their children.
const PROLOGUE = `
set -euo pipefail
set -m
staying=()
logs=$(mktemp -d)
finish() {
  local code=$?
  for job in "\${staying[@]}"; do kill -TERM -- "-$job" 2>/dev/null || true; done
  for job in "\${staying[@]}"; do wait "$job" 2>/dev/null || true; done
  rm -rf "$logs"
  exit $code
}
trap finish EXIT
`

// npx is slow; one page tests it.
const WITHOUT_NPX = `
npx() {
  if [ "$1" != florin ]; then command npx "$@"; else shift; node "$CLONE/cli/bin/florin.mjs" "$@"; fi
}
`

function commandsOf(block: Block, page: readonly Block[]): string {
  const { kind, line, stays, skip, text } = block
  const mark = `echo "${MARK}${line}"`
  const program = PROGRAMS[kind]
  if (skip !== null || (kind !== 'sh' && program === undefined)) return ''
  if (program !== undefined) {
    const name = fileOf(block)
    const save = `cat > ${name} <<'END OF FILE'\n${text}END OF FILE`
    // Don't run a program that a command of the page runs.
    const isRunLater = page.some(
      (other) => other.kind === 'sh' && other.text.includes(` ${name}\n`),
    )
    return [mark, save, ...(isRunLater ? [] : [`${program.run} ${name}`])].join('\n')
  }
  if (stays === null) return `${mark}\n${text}`
  const log = `"$logs/${line}"`
  // Background commands use a free port.
  return `${mark}
(
export PORT=$FREE_PORT
${text}
) > ${log} 2>&1 &
staying+=($!)
until grep -qF '${stays}' ${log}; do
  if ! kill -0 "\${staying[-1]}" 2>/dev/null; then cat ${log}; exit 1; fi
  sleep 0.1
done
cat ${log}`
}
