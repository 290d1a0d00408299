import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, expect, it } from 'vitest'
import { type PostgresCluster, startPostgres } from './postgres.ts'

const SCRIPT = fileURLToPath(new URL('../../../deploy/patroni/certificates.sh', import.meta.url))
const CLIENTS = 2379
const PEERS = 2380

let postgres: PostgresCluster
beforeAll(async () => {
  postgres = await startPostgres()
  return postgres.remove
})

/** The response of db1's etcd to db2 with the named certificate. Null if it aborts the handshake. */
function request(url: string, certificate?: string): string | null {
  const given = certificate ? ['--cert', `${certificate}.crt`, '--key', `${certificate}.key`] : []
  const options = ['-sS', '--http1.1', '--max-time', '5', '--cacert', ca(), ...given]
  const { status, stdout } = postgres.machines.db2.run('curl', ...options, url)
  return status === 0 ? stdout : null
}
const ca = () => join(postgres.certificates, 'ca.crt')
const own = (program: string) => join(postgres.certificates, 'db2', program)

it('accepts Patroni in etcd by its certificate, and no client without one', () => {
  const keys = `https://10.0.0.11:${CLIENTS}/v2/keys/service/florin/leader`
  const members = `https://10.0.0.11:${CLIENTS}/v3/cluster/member/list`
  expect(JSON.parse(request(keys, own('patroni'))!).node.value).toMatch(/^db[123]$/)
  const plain = keys.replace('https', 'http')
  expect([request(keys), request(members), request(plain)]).toEqual([null, null, null])

  const strangers = join(postgres.network.folder, 'strangers')
  execFileSync('sh', [SCRIPT, strangers, 'db2=10.0.0.12'])
  for (const program of ['patroni', 'etcd'])
    expect(request(keys, join(strangers, 'db2', program))).toBeNull()
})

it('accepts only etcd as a peer', () => {
  const members = `https://10.0.0.11:${PEERS}/members`
  expect(JSON.parse(request(members, own('etcd'))!)).toHaveLength(3)
  expect([request(members, own('patroni')), request(members)]).toEqual([null, null])
})
