import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, expect, it } from 'vitest'
import { type PostgresCluster, startPostgres } from './postgres.ts'

const SCRIPT = fileURLToPath(new URL('../../../deploy/patroni/certificates.sh', import.meta.url))
const CLIENT_PORT = 2379
const PEER_PORT = 2380

let postgres: PostgresCluster
beforeAll(async () => {
  postgres = await startPostgres()
  return postgres.remove
})

/** The response of db1's etcd to db2, which sends this certificate or none. Null if the request fails. */
function request(url: string, certificate?: string): string | null {
  const credentials = certificate
    ? ['--cert', `${certificate}.crt`, '--key', `${certificate}.key`]
    : []
  const options = ['-sS', '--http1.1', '--max-time', '5', '--cacert', ca(), ...credentials]
  const { status, stdout } = postgres.machines.db2.run('curl', ...options, url)
  return status === 0 ? stdout : null
}
const ca = () => join(postgres.certificates, 'ca.crt')
const certificateOf = (program: string) => join(postgres.certificates, 'db2', program)

it('etcd accepts Patroni by its certificate, and no client without a certificate or with one from another certificate authority', () => {
  const keys = `https://10.0.0.11:${CLIENT_PORT}/v2/keys/service/florin/leader`
  const members = `https://10.0.0.11:${CLIENT_PORT}/v3/cluster/member/list`
  expect(JSON.parse(request(keys, certificateOf('patroni'))!).node.value).toMatch(/^db[123]$/)
  const plain = keys.replace('https', 'http')
  expect([request(keys), request(members), request(plain)]).toEqual([null, null, null])

  const otherFolder = join(postgres.network.folder, 'foreign')
  execFileSync('sh', [SCRIPT, otherFolder, 'db2=10.0.0.12'])
  for (const program of ['patroni', 'etcd'])
    expect(request(keys, join(otherFolder, 'db2', program))).toBeNull()
})

it('etcd accepts only etcd as a peer', () => {
  const members = `https://10.0.0.11:${PEER_PORT}/members`
  expect(JSON.parse(request(members, certificateOf('etcd'))!)).toHaveLength(3)
  expect([request(members, certificateOf('patroni')), request(members)]).toEqual([null, null])
})
