import { Readable } from 'node:stream'
import pg from 'pg'

export type BaseBackupPart = { readonly file: 'archive' | 'manifest'; readonly bytes: Buffer }

/** The parts of the driver's connection that the stream uses: to send the command, for backpressure, and to disconnect. */
type Connection = {
  query(text: string): void
  stream: { pause(): void; resume(): void; destroy(): void }
}

// WAL true: include the log segments that the backup needs to start. WAIT false: don't wait for the
// archive, which may be failing. PostgreSQL verifies page checksums, and a wrong one fails the backup.
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
 * Streams an online backup of the cluster, made by PostgreSQL itself: the folder as a tar file, then the
 * manifest. It contains everything that was committed before the call.
 */
export async function streamBaseBackup(
  url: string,
  work: (parts: AsyncIterable<BaseBackupPart>, estimatedBytes: () => number) => Promise<void>,
): Promise<void> {
  const config = { connectionString: url, connectionTimeoutMillis: 10_000, replication: 'true' }
  const client = new pg.Client(config)
  // A broken connection also fails the stream below. Without a listener it would crash the process.
  client.on('error', () => {})
  await client.connect()
  try {
    // The slot keeps PostgreSQL from removing log segments until this session ends.
    const slot = `florin_backup_${process.pid}_${Date.now()}`
    await client.query(`CREATE_REPLICATION_SLOT ${slot} TEMPORARY PHYSICAL RESERVE_WAL`)
    const stream = client.query(new BaseBackupStream())
    // If `work` fails before it reads, nothing else listens for the error of the connection that then ends.
    stream.on('error', () => {})
    await work(stream, () => stream.estimatedBytes)
  } finally {
    await client.end()
  }
}

/** The protocol first sends rows about the backup, then copy messages that begin with a letter for their type. */
class BaseBackupStream extends Readable {
  estimatedBytes = 0
  private connection: Connection | undefined
  private file: BaseBackupPart['file'] = 'archive'

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
    // End the connection, or the server would keep sending.
    if (!this.readableEnded) this.connection?.stream.destroy()
    callback(error)
  }

  handleCopyData({ chunk }: { chunk: Buffer }): void {
    const kind = String.fromCharCode(chunk[0]!)
    if (kind === 'm') this.file = 'manifest'
    if (kind !== 'd') return
    // Copy the bytes, because the driver reuses its buffer.
    const part: BaseBackupPart = { file: this.file, bytes: Buffer.from(chunk.subarray(1)) }
    if (!this.push(part)) this.connection?.stream.pause()
  }

  /** Only a tablespace's row has three columns. The last one is its size in KiB. */
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
