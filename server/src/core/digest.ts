import { hash } from 'node:crypto'

/** SHA-256. By way of a text, since a buffer straight from there is memory of its own, which costs far more than the hash. */
export function digest(data: string | Buffer): Buffer {
  return Buffer.from(hash('sha256', data, 'binary'), 'binary')
}
