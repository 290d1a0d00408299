import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

type Failure = {
  readonly kind: string
  readonly message: string
  readonly status?: number | null
  readonly requestId?: string | null
  readonly idempotencyKey?: string | null
  readonly retryAfterMs?: number | null
  readonly fields?: readonly string[]
  readonly reason?: string
}

// Results have the types of many calls; the cases compare them.
// biome-ignore lint/suspicious/noExplicitAny: the cases check the shape.
type Result = any
type Reply = { readonly result?: Result; readonly error?: Failure }

export type Keys = {
  readonly base_url: string
  readonly api_key: string
  readonly api_secret: string
}

const file = (path: string) => fileURLToPath(new URL(path, import.meta.url))

const PROGRAMS = {
  TypeScript: { program: process.execPath, args: [file('drivers/driver.mjs')], env: {} },
  Python: {
    program: 'python3',
    args: [file('drivers/driver.py')],
    env: { PYTHONPATH: file('../python/src'), PYTHONDONTWRITEBYTECODE: '1' },
  },
  PHP: { program: 'php', args: [file('drivers/driver.php')], env: {} },
}

export type Language = keyof typeof PROGRAMS
export const LANGUAGES = Object.keys(PROGRAMS) as Language[]

export type Client = ReturnType<typeof startClient>

/** Starts the driver of a language. It runs one command at a time. */
export function startClient(language: Language) {
  const { program, args, env } = PROGRAMS[language]
  const { PATH, HOME } = process.env
  const child = spawn(program, args, { env: { PATH, HOME, ...env } })
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
  const ended = endOf(child, program)

  async function send(command: object): Promise<Reply> {
    child.stdin.write(`${JSON.stringify(command)}\n`)
    const line = await Promise.race([lines.next(), ended])
    if (line.done) throw await ended.then(null, (error) => error)
    return JSON.parse(line.value)
  }

  return {
    language,
    /** Returns the result of a call; fails if the client raised an error. */
    async call(client: Keys, name: string, args: unknown[] = [], options: object = {}) {
      const { result, error } = await send({ client, call: name, args, options })
      if (error !== undefined) throw new Error(`${name}: ${error.kind}: ${error.message}`)
      return result
    },
    /** Returns the error of a call; fails if there was none. */
    async failure(client: object, name: string, args: unknown[] = [], options: object = {}) {
      const { result, error } = await send({ client, call: name, args, options })
      if (error === undefined) throw new Error(`${name} returned ${JSON.stringify(result)}`)
      return error
    },
    async close(): Promise<void> {
      child.stdin.end()
      await ended.catch(() => {})
    },
  }
}

/** Rejects when the process ends, with what it printed. */
function endOf(child: ChildProcess, program: string): Promise<never> {
  let printed = ''
  child.stderr!.on('data', (chunk) => (printed += chunk))
  // A write to a process that has ended fails. The end of the process is reported below.
  child.stdin!.on('error', () => {})
  const ended = new Promise<never>((_, reject) => {
    child.on('error', () => {
      const help = 'On Debian as root, npm test installs it.'
      reject(new Error(`The clients need ${program}, which is not installed. ${help}`))
    })
    child.on('close', (code) => reject(new Error(`${program} ended with ${code}: ${printed}`)))
  })
  ended.catch(() => {})
  return ended
}
