import { hash } from 'node:crypto'

/** SHA-256. Converts from a string, because `hash` would allocate memory for each Buffer, which costs more than hashing. */
export function digest(data: string | Buffer): Buffer {
  return Buffer.from(hash('sha256', data, 'binary'), 'binary')
}
