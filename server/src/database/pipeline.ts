import { createHash } from 'node:crypto'
import pg from 'pg'
import { parseJsonExactly } from '../core/json.ts'

const INT8 = 20
const JSON_TEXT = 114
const DATE = 1082

/** Money is bigint everywhere; a date is a day in some store's zone and must not become an instant. */
function parserOf(type: number): (text: string) => unknown {
  if (type === INT8) return BigInt
  if (type === DATE) return (text) => text
  if (type === JSON_TEXT) return (text) => parseJsonExactly(text)
  return pg.types.getTypeParser(type)
}

export type Statement = { readonly text: string; readonly values: (string | Buffer | null)[] }

/** `command` is what the server calls it, with the number of rows that it touched: `UPDATE 3`. */
export type Answer = { readonly rows: unknown[]; readonly command: string }

type Column = { readonly name: string; readonly parse: (text: string) => unknown }
type RowDescription = { readonly fields: readonly { name: string; dataTypeID: number }[] }
type DataRow = { readonly fields: readonly (string | null)[] }

/** What each connection has parsed before, and what its rows look like. */
const parsed = new WeakMap<pg.Connection, Map<string, Column[]>>()

/**
 * Statements that the server gets in one piece and answers in one: a trip costs more than most statements do.
 * The server skips what comes after one that fails. Every text is fixed, so each is parsed and planned once per
 * connection. To the driver this is one query.
 */
export class Flight implements pg.Submittable {
  readonly statements: readonly Statement[]
  /** As many as were carried out. */
  readonly answers: Answer[] = []
  /** Called when it is over. Under this name, because the driver may put something before it. */
  callback: (error: Error | null) => void
  #known = new Map<string, Column[]>()
  #columns: Column[] = []
  #rows: unknown[] = []
  #unreadable: Error | null = null

  constructor(statements: readonly Statement[], callback: (error: Error | null) => void) {
    this.statements = statements
    this.callback = callback
  }

  submit(connection: pg.Connection): void {
    this.#known = parsed.get(connection) ?? new Map()
    parsed.set(connection, this.#known)
    connection.stream.cork()
    for (const { text, values } of this.statements) {
      const statement = nameOf(text)
      const isNew = !this.#known.has(text)
      if (isNew) {
        // It may be there from a time when it was parsed and then failed.
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
      // Thrown here it would end the process.
      this.#unreadable ??= error as Error
    }
    this.#rows.push(row)
  }

  handleCommandComplete({ text: command }: { text: string }): void {
    const { text } = this.statements[this.answers.length]!
    this.#known.set(text, this.#columns)
    this.answers.push({ rows: this.#rows, command })
    this.#expectNext()
  }

  /** A text with nothing to do in it. */
  handleEmptyQuery(): void {
    this.handleCommandComplete({ text: '' })
  }

  handleReadyForQuery(): void {
    this.callback(this.#unreadable)
  }

  handleError(error: Error): void {
    // Perhaps it was planned for a table that has changed since: it is parsed anew the next time.
    const failed = this.statements[this.answers.length]
    if (failed !== undefined) this.#known.delete(failed.text)
    this.callback(error)
  }

  #expectNext(): void {
    this.#rows = []
    const next = this.statements[this.answers.length]
    this.#columns = (next && this.#known.get(next.text)) ?? []
  }
}

const names = new Map<string, string>()

/** What the server knows a statement by, which it cuts off after 63 bytes. */
function nameOf(text: string): string {
  let name = names.get(text)
  if (name === undefined) {
    name = createHash('sha256').update(text).digest('base64url').slice(0, 20)
    names.set(text, name)
  }
  return name
}
