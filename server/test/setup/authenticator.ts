import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { isoCBOR } from '@simplewebauthn/server/helpers'
import { PUBLIC_ORIGIN } from './people.ts'

const USER_PRESENT = 0x01
const USER_VERIFIED = 0x04
const HAS_CREDENTIAL = 0x40

type Options = { readonly challenge: string }
type Page = { readonly origin?: string; readonly rpId?: string }
type Signed = { readonly authData: Buffer; readonly clientData: Buffer }
type Attestation = {
  readonly fmt: string
  readonly attStmt: Map<string, string | number | Uint8Array>
}

const noAttestation = (): Attestation => ({ fmt: 'none', attStmt: new Map() })

/** An authenticator in software, with one passkey. It signs for any origin and relying party. */
export function createAuthenticator() {
  const credentialId = randomBytes(16)
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x, y } = publicKey.export({ format: 'jwk' })
  const id = credentialId.toString('base64url')

  const clientDataOf = (type: string, { challenge }: Options, { origin = PUBLIC_ORIGIN }: Page) =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))

  function authenticatorDataOf(
    { rpId = 'pay.example.com' }: Page,
    flags: number,
    counter: number,
  ): Buffer {
    const flagsAndCounter = Buffer.alloc(5)
    flagsAndCounter.writeUInt8(flags)
    flagsAndCounter.writeUInt32BE(counter, 1)
    return Buffer.concat([createHash('sha256').update(rpId).digest(), flagsAndCounter])
  }

  return {
    /** The body of a registration. */
    register(
      options: Options,
      {
        attest = noAttestation,
        ...page
      }: Page & { readonly attest?: (signed: Signed) => Attestation } = {},
    ) {
      // COSE: key type EC2, algorithm ES256, curve P-256, x and y.
      const coseKey = new Map<number, number | Uint8Array>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, Uint8Array.from(Buffer.from(x!, 'base64url'))],
        [-3, Uint8Array.from(Buffer.from(y!, 'base64url'))],
      ])
      const idLength = Buffer.alloc(2)
      idLength.writeUInt16BE(credentialId.length)
      const aaguid = Buffer.alloc(16)
      const authData = Buffer.concat([
        authenticatorDataOf(page, USER_PRESENT | USER_VERIFIED | HAS_CREDENTIAL, 0),
        aaguid,
        idLength,
        credentialId,
        isoCBOR.encode(coseKey),
      ])
      const clientData = clientDataOf('webauthn.create', options, page)
      const { fmt, attStmt } = attest({ authData, clientData })
      const attestation = isoCBOR.encode(
        new Map<string, string | Attestation['attStmt'] | Uint8Array>([
          ['fmt', fmt],
          ['attStmt', attStmt],
          ['authData', Uint8Array.from(authData)],
        ]),
      )
      return {
        id,
        response: {
          clientDataJSON: clientData.toString('base64url'),
          attestationObject: Buffer.from(attestation).toString('base64url'),
          transports: ['internal'],
        },
      }
    },

    /** The body of a sign-in or confirmation. */
    use(
      options: Options,
      {
        counter = 1,
        isVerified = true,
        ...page
      }: Page & { counter?: number; isVerified?: boolean } = {},
    ) {
      const flags = USER_PRESENT | (isVerified ? USER_VERIFIED : 0)
      const authData = authenticatorDataOf(page, flags, counter)
      const clientData = clientDataOf('webauthn.get', options, page)
      const signed = Buffer.concat([authData, createHash('sha256').update(clientData).digest()])
      return {
        id,
        response: {
          clientDataJSON: clientData.toString('base64url'),
          authenticatorData: authData.toString('base64url'),
          signature: sign('sha256', signed, privateKey).toString('base64url'),
        },
      }
    },
  }
}
