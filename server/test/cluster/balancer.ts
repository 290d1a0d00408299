import { spawn } from 'node:child_process'
import { openSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { freePort, until } from '../setup/started.ts'
import { type PostgresCluster, readDeployFile } from './postgres.ts'

export type Balancer = Awaited<ReturnType<typeof startBalancer>>

/** HAProxy with the configuration of deploy/patroni, in front of the service and of PostgreSQL. */
export async function startBalancer(
  { network }: PostgresCluster,
  nodes: readonly { readonly origin: string }[],
) {
  const [databasePort, port] = [await freePort(), await freePort()]
  const [first, second] = nodes.map(({ origin }) => new URL(origin).host)
  const config = (await readDeployFile('haproxy.cfg'))
    .replace('bind 10.0.0.10:5000', `bind 127.0.0.1:${databasePort}`)
    .replace('bind :8080', `bind 127.0.0.1:${port}`)
    .replace('10.0.0.21:8080', first!)
    .replace('10.0.0.22:8080', second!)
    .replace(/10\.0\.0\.(1[123])/g, `${network.front}.$1`)
  const file = join(network.folder, 'haproxy.cfg')
  await writeFile(file, config)
  const log = openSync(join(network.folder, 'haproxy.log'), 'a')
  const child = spawn('/usr/sbin/haproxy', ['-db', '-f', file], { stdio: ['ignore', log, log] })
  const exited = new Promise((resolve) => child.once('exit', resolve))
  const origin = `http://127.0.0.1:${port}`
  await Promise.race([
    until(async () => (await fetch(`${origin}/health`)).status > 0),
    exited.then(async () => {
      throw new Error(await readFile(join(network.folder, 'haproxy.log'), 'utf8'))
    }),
  ])
  return {
    origin,
    databaseUrl: `postgres://florin:change-me@127.0.0.1:${databasePort}/florin`,
    async stop(): Promise<void> {
      child.kill('SIGTERM')
      await exited
    },
  }
}
