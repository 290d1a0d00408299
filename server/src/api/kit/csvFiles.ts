import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { csvLine } from '../../core/csv.ts'

/** `rows` is null if counting them would read as much as the file itself. */
export type CsvFile = { readonly rows: number | null; readonly pages: AsyncGenerator<string> }

/** The columns of a file in order, with the cell of each row. */
export type Columns<Row> = Record<string, (row: Row) => string | null>

export const csvHeader = <Row>(columns: Columns<Row>): string => csvLine(Object.keys(columns))

export const csvLines = <Row>(rows: readonly Row[], columns: Columns<Row>): string =>
  rows.map((row) => csvLine(Object.values(columns).map((cellOf) => cellOf(row)))).join('')

export type SendCsv = ReturnType<typeof createCsvSender>

/** Returns the function that sends files. `isAllowed` is checked before each page, because a slow download can take hours. */
export function createCsvSender(
  app: FastifyInstance,
  isAllowed: (request: FastifyRequest) => Promise<boolean>,
) {
  const downloads = new Set<Readable>()
  // A slow download must not delay the shutdown.
  app.addHook('preClose', async () => {
    for (const csv of downloads) csv.destroy()
  })
  return async (
    { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
    name: string,
    read: () => Promise<CsvFile>,
  ): Promise<FastifyReply> => {
    // Call it after the read: browsers would save an error with these headers as the file.
    const send = (body: string | Readable) =>
      reply
        .header('content-disposition', `attachment; filename="${name}"`)
        .header('content-type', 'text/csv; charset=utf-8')
        .send(body)
    // Don't generate a file that HEAD would discard.
    if (request.method === 'HEAD') return send('')
    const { rows, pages } = await read()
    async function* whileAllowed() {
      for await (const page of pages) {
        // Abort the connection, so that the client doesn't take the file for complete.
        if (!(await isAllowed(request))) return void reply.raw.destroy()
        yield page
      }
    }
    // Reads pages as the client receives them, and stops when it disconnects.
    const csv = Readable.from(whileAllowed(), { objectMode: true, highWaterMark: 1 })
    downloads.add(csv)
    csv.once('close', () => downloads.delete(csv))
    if (rows !== null) reply.header('florin-rows', rows)
    return send(csv)
  }
}
