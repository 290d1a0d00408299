import { hash } from 'node:crypto'

/** SHA-256. Converts a string, because allocating the Buffer that `hash` would return takes longer than computing the hash. */
export function digest(data: string | Buffer): Buffer {
  return Buffer.from(hash('sha256', data, 'binary'), 'binary')
}
