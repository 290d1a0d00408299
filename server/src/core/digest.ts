import { hash } from 'node:crypto'

/** SHA-256. Lets `hash` return a string: allocating the Buffer that it would return takes longer than computing the hash. */
export function digest(data: string | Buffer): Buffer {
  return Buffer.from(hash('sha256', data, 'binary'), 'binary')
}
