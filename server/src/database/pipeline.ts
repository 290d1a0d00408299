import { createHash } from 'node:crypto'
import type { Socket } from 'node:net'
import pg from 'pg'
import { encodeParameter } from './encode.ts'
import { translateError } from './errors.ts'

const INT8 = 20
const DATE = 1082

/** Amounts are bigint everywhere. A date is a day in a store's time zone and must not become an instant. */
function parserOf(type: number): (text: string) => unknown {
  if (type === INT8) return BigInt
  if (type === DATE) return (text) => text
  return pg.types.getTypeParser(type)
}

type Statement = { readonly text: string; readonly values: (string | Buffer | null)[] }

/** `command` is PostgreSQL's command tag, which ends with the number of rows: `UPDATE 3`. */
type Result = { readonly rows: unknown[]; readonly command: string }

type Column = { readonly name: string; readonly parse: (text: string) => unknown }
type RowDescription = { readonly fields: readonly { name: string; dataTypeID: number }[] }
type DataRow = { readonly fields: readonly (string | null)[] }

/** The statements that each connection has prepared, with the columns of their rows. */
const prepared = new WeakMap<pg.Connection, Map<string, Column[]>>()

/**
 * Sends several statements in one write and reads all results in one reply, because a round trip costs
 * more than most statements. The server skips the statements after one that fails. Texts come from a
 * limited set, so each is parsed once per connection, and its plan can be reused. To the driver this is one query.
 */
export class PipelinedQuery implements pg.Submittable {
  readonly statements: readonly Statement[]
  /** The results of the statements that succeeded. */
  readonly results: Result[] = []
  /** Called at the end. The driver expects this name, because it may wrap the function. */
  callback: (error: Error | null) => void
  #prepared = new Map<string, Column[]>()
  #columns: Column[] = []
  #rows: unknown[] = []
  #parseError: Error | null = null

  constructor(statements: readonly Statement[], callback: (error: Error | null) => void) {
    this.statements = statements
    this.callback = callback
  }

  submit(connection: pg.Connection): void {
    this.#prepared = prepared.get(connection) ?? new Map()
    prepared.set(connection, this.#prepared)
    connection.stream.cork()
    for (const { text, values } of this.statements) {
      const statement = nameOf(text)
      const isNew = !this.#prepared.has(text)
      if (isNew) {
        // The name may still exist if the statement was parsed and then failed.
        connection.close({ type: 'S', name: statement }, true)
        connection.parse({ name: statement, text, types: [] }, true)
      }
      connection.bind({ statement, values }, true)
      if (isNew) connection.describe({ type: 'P' }, true)
      connection.execute(null, true)
    }
    connection.sync()
    connection.stream.uncork()
    this.#expectNext()
  }

  handleRowDescription({ fields }: RowDescription): void {
    this.#columns = fields.map(({ name, dataTypeID }) => ({ name, parse: parserOf(dataTypeID) }))
  }

  handleDataRow({ fields }: DataRow): void {
    const row: Record<string, unknown> = {}
    try {
      for (let index = 0; index < fields.length; index++) {
        const text = fields[index]!
        const { name, parse } = this.#columns[index]!
        row[name] = text === null ? null : parse(text)
      }
    } catch (error) {
      // Don't throw: an exception in this callback would crash the process.
      this.#parseError ??= error as Error
    }
    this.#rows.push(row)
  }

  handleCommandComplete({ text: command }: { text: string }): void {
    const { text } = this.statements[this.results.length]!
    this.#prepared.set(text, this.#columns)
    this.results.push({ rows: this.#rows, command })
    this.#expectNext()
  }

  handleEmptyQuery(): void {
    this.handleCommandComplete({ text: '' })
  }

  handleReadyForQuery(): void {
    this.callback(this.#parseError)
  }

  handleError(error: Error): void {
    // The plan may be for a table that has changed since, so parse the statement again next time.
    const failed = this.statements[this.results.length]
    if (failed !== undefined) this.#prepared.delete(failed.text)
    this.callback(error)
  }

  #expectNext(): void {
    this.#rows = []
    const next = this.statements[this.results.length]
    this.#columns = (next && this.#prepared.get(next.text)) ?? []
  }
}

const names = new Map<string, string>()

/** PostgreSQL truncates names after 63 bytes. */
function nameOf(text: string): string {
  let name = names.get(text)
  if (name === undefined) {
    name = createHash('sha256').update(text).digest('base64url').slice(0, 20)
    names.set(text, name)
  }
  return name
}

type PendingStatement = Statement & {
  readonly resolve: (result: Result) => void
  readonly reject: (error: Error) => void
}

/**
 * Sends statements through a connection. Statements of one turn of the event loop are sent together;
 * statements that are added while a reply is pending are sent after it. Ends the connection on a timeout.
 */
export function createPipeline(client: pg.ClientBase, timeoutMs: number) {
  let pending: PendingStatement[] = []
  let isBusy = false
  let isClosed = false
  let firstFailure: { readonly error: unknown } | null = null

  function schedule(): void {
    if (isBusy || pending.length === 0) return
    isBusy = true
    process.nextTick(flush)
  }

  function flush(): void {
    const statements = pending
    pending = []
    if (isClosed) {
      for (const { reject } of statements) reject(new Error('The transaction is over'))
      isBusy = false
      return
    }
    const stopTimer = startTimer(client, timeoutMs)
    const query = new PipelinedQuery(statements, (error) => {
      stopTimer()
      if (error === null) {
        for (const [index, { resolve }] of statements.entries()) resolve(query.results[index]!)
      } else {
        // Send nothing more: after a failed BEGIN it would run outside a transaction.
        isClosed = true
        // Reject the failed statement before the others, so that the stack trace names its caller.
        statements[query.results.length]?.reject(error)
        for (const { reject } of statements) reject(error)
      }
      isBusy = false
      schedule()
    })
    client.query(query)
  }

  return {
    async send(text: string, values: readonly unknown[] = []): Promise<Result> {
      try {
        return await new Promise<Result>((resolve, reject) => {
          pending.push({ text, values: values.map(encodeParameter), resolve, reject })
          schedule()
        })
      } catch (error) {
        isClosed = true
        // Report only the first failure: the others may follow from it and would hide the cause.
        if (firstFailure === null) {
          // Let the stack trace name the caller instead of the code that read the reply.
          Error.captureStackTrace(error as Error)
          firstFailure = { error: translateError(error) }
        }
        throw firstFailure.error
      }
    },
    /** Rejects every statement that has not been sent yet. */
    close(): void {
      isClosed = true
    },
    failure: () => firstFailure,
  }
}

/** Ends the connection unless the timer is stopped in time. */
export function startTimer(client: pg.ClientBase, timeoutMs: number): () => void {
  const timer = setTimeout(() => endConnection(client), timeoutMs)
  return () => clearTimeout(timer)
}

export function endConnection(client: pg.ClientBase): void {
  const { connection } = client as unknown as { connection: { stream: Socket } }
  connection.stream.destroy()
}
