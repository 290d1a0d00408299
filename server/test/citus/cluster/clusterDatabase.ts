import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { migrate } from '../../../src/database/migrate.ts'

/** The coordinator that the tests use; undefined if there is none. */
export const CITUS_URL = process.env.FLORIN_CITUS_URL

export type ClusterDatabase = { readonly url: string; readonly drop: () => Promise<void> }

type Node = { readonly host: string; readonly port: number; readonly isCoordinator: boolean }

/** A new database on every node of the cluster, with distributed tables. Needs a superuser. */
export async function createClusterDatabase(): Promise<ClusterDatabase> {
  const name = `florin_${randomBytes(6).toString('hex')}`
  const nodes = await onNode(CITUS_URL!, async (client) => {
    const { rows } = await client.query<Node>(
      `select nodename as host, nodeport as port, groupid = 0 as "isCoordinator"
       from pg_dist_node
       where isactive and noderole = 'primary'
       order by groupid`,
    )
    return rows
  })
  const [coordinator] = nodes
  if (coordinator?.isCoordinator !== true || nodes.length < 3) {
    throw new Error(
      'The database of FLORIN_CITUS_URL must know its coordinator and at least two workers. ' +
        'Add them with citus_set_coordinator_host and citus_add_node (docs/scale.md).',
    )
  }
  for (const node of nodes) {
    await onNode(urlOf(node, null), (client) => client.query(`create database ${name}`))
    await onNode(urlOf(node, name), (client) => client.query('create extension citus'))
  }
  const url = urlOf(coordinator, name)
  await onNode(url, async (client) => {
    for (const { host, port, isCoordinator } of nodes) {
      const add = isCoordinator ? 'citus_set_coordinator_host' : 'citus_add_node'
      await client.query(`select ${add}($1, $2)`, [host, port])
    }
  })
  await migrate(url, { distribute: true })
  const drop = async () => {
    for (const node of nodes) {
      await onNode(urlOf(node, null), (client) =>
        client.query(`drop database if exists ${name} with (force)`),
      )
    }
  }
  return { url, drop }
}

/** The URL of a node, with the user and password of `FLORIN_CITUS_URL`. If `database` is null, also with its database. */
function urlOf({ host, port }: Node, database: string | null): string {
  const url = new URL(CITUS_URL!)
  url.hostname = host
  url.port = String(port)
  if (database !== null) url.pathname = `/${database}`
  return url.href
}

export async function onNode<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
