import { Readable } from 'node:stream'
import pg from 'pg'

export type BaseBackupPart = { readonly of: 'archive' | 'manifest'; readonly bytes: Buffer }

/** What the driver has of a connection beside queries: enough to slow the server down. */
type Connection = {
  query(text: string): void
  stream: { pause(): void; resume(): void; destroy(): void }
}

// With every segment of the log that it needs, so that it can be started by itself. Checksums of pages
// are looked at on the way, and a wrong one ends the backup. It has its segments, so it need not wait for an archive,
// which may be out of order.
const COMMAND = `BASE_BACKUP (
  LABEL 'florin backup',
  CHECKPOINT 'fast',
  WAL true,
  WAIT false,
  PROGRESS true,
  MANIFEST 'yes',
  MANIFEST_CHECKSUMS 'SHA256'
)`

/**
 * A copy of the whole cluster as PostgreSQL itself makes it, while everybody goes on working: the folder
 * as tar, then the manifest. What was committed before the copy was asked for is in it.
 */
export async function baseBackup(
  url: string,
  work: (parts: AsyncIterable<BaseBackupPart>, estimatedBytes: () => number) => Promise<void>,
): Promise<void> {
  const config = { connectionString: url, connectionTimeoutMillis: 10_000, replication: 'true' }
  const client = new pg.Client(config)
  // A connection that breaks fails the stream below as well.
  client.on('error', () => {})
  await client.connect()
  try {
    // Until this session ends no segment is removed, however much is written meanwhile.
    const slot = `florin_backup_${process.pid}_${Date.now()}`
    await client.query(`CREATE_REPLICATION_SLOT ${slot} TEMPORARY PHYSICAL RESERVE_WAL`)
    const stream = client.query(new BaseBackupStream())
    await work(stream, () => stream.estimatedBytes)
  } finally {
    await client.end()
  }
}

/** The protocol sends rows about the backup first, then one copy whose messages begin with a letter. */
class BaseBackupStream extends Readable {
  estimatedBytes = 0
  private connection: Connection | undefined
  private of: BaseBackupPart['of'] = 'archive'

  constructor() {
    super({ objectMode: true, highWaterMark: 64 })
  }

  submit(connection: Connection): void {
    this.connection = connection
    connection.query(COMMAND)
  }

  override _read(): void {
    this.connection?.stream.resume()
  }

  override _destroy(error: Error | null, callback: (error: Error | null) => void): void {
    // The server would go on sending to nobody.
    if (!this.readableEnded) this.connection?.stream.destroy()
    callback(error)
  }

  handleCopyData({ chunk }: { chunk: Buffer }): void {
    const kind = String.fromCharCode(chunk[0]!)
    if (kind === 'm') this.of = 'manifest'
    if (kind !== 'd') return
    // Copied, because the driver uses its buffer again.
    const part: BaseBackupPart = { of: this.of, bytes: Buffer.from(chunk.subarray(1)) }
    if (!this.push(part)) this.connection?.stream.pause()
  }

  /** Of the rows only that of a tablespace has three columns, the last one its size in KiB. */
  handleDataRow({ fields }: { fields: (string | null)[] }): void {
    if (fields.length === 3) this.estimatedBytes += Number(fields[2]) * 1024
  }

  handleRowDescription(): void {}
  handleCommandComplete(): void {}

  handleReadyForQuery(): void {
    this.push(null)
  }

  handleError(error: Error): void {
    this.destroy(error)
  }
}
