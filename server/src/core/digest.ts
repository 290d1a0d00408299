import { hash } from 'node:crypto'

/** SHA-256. Converts from a string, because a Buffer from `hash` takes longer to allocate than the hash to compute. */
export function digest(data: string | Buffer): Buffer {
  return Buffer.from(hash('sha256', data, 'binary'), 'binary')
}
