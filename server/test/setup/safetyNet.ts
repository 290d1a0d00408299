import { execFileSync } from 'node:child_process'
import { createHash, sign, X509Certificate } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A root certificate, and an Android device with a certificate that the root signed and that names a revocation list. */
export function createAndroidDevice(revocationListUrl: string) {
  const folder = mkdtempSync(join(tmpdir(), 'florin-certificates-'))
  const create = (name: string, ...args: string[]) =>
    execFileSync(
      'openssl',
      [
        ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'],
        ...['-days', '1', '-keyout', `${name}.key`, '-out', `${name}.crt`, ...args],
      ],
      { cwd: folder, stdio: 'pipe' },
    )
  try {
    create('root', '-subj', '/CN=root')
    const extension = `crlDistributionPoints=URI:${revocationListUrl}`
    const subject = ['-subj', '/CN=attest.android.com', '-addext', extension]
    create('device', '-CA', 'root.crt', '-CAkey', 'root.key', ...subject)
    const read = (file: string) => readFileSync(join(folder, file), 'utf8')
    const certificate = new X509Certificate(read('device.crt')).raw.toString('base64')
    const key = read('device.key')

    /** The certificate is inside the signed text, not in the `x5c` of the statement. */
    function attest({ authData, clientData }: { authData: Buffer; clientData: Buffer }) {
      const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest()
      const nonce = sha256(Buffer.concat([authData, sha256(clientData)])).toString('base64')
      const encode = (part: unknown) => Buffer.from(JSON.stringify(part)).toString('base64url')
      const payload = { nonce, ctsProfileMatch: true, timestampMs: Date.now() }
      const signed = `${encode({ alg: 'ES256', x5c: [certificate] })}.${encode(payload)}`
      const signature = sign('sha256', Buffer.from(signed), key).toString('base64url')
      const response = Uint8Array.from(Buffer.from(`${signed}.${signature}`))
      const attStmt = new Map<string, string | Uint8Array>([
        ['ver', '1'],
        ['response', response],
      ])
      return { fmt: 'android-safetynet', attStmt }
    }
    return { root: read('root.crt'), attest }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
