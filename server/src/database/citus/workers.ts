type Query = <Row>(text: string) => Promise<Row[]>

/** What a worker reports about itself, or `failure`, the reason why it is unreachable. */
type WorkerReport = { readonly node: string } & (
  | { readonly failure: string }
  | {
      readonly failure: null
      readonly role: string
      readonly citus: string | null
      /** The version of Citus on the coordinator. */
      readonly expectedCitus: string
      readonly hasLockTimeout: boolean
      /** The settings that protect acknowledged writes and are off. */
      readonly off: readonly string[]
    }
)

type ClusterProblem = { readonly message: string; readonly fix: string }

const REPORT = `
  select json_build_object(
    'role', current_user,
    'citus', (select extversion from pg_extension where extname = 'citus'),
    'hasLockTimeout', exists (
      select from pg_db_role_setting s join pg_roles r on r.oid = s.setrole
      where r.rolname = current_user and 'lock_timeout=2s' = any(s.setconfig)),
    'off', (
      select coalesce(json_agg(name order by name), '[]')
      from pg_settings
      where name in ('fsync', 'full_page_writes', 'synchronous_commit') and setting = 'off'))`

/** Reads the report of every worker. An unreachable worker doesn't hide the others. */
export async function readWorkers(query: Query): Promise<WorkerReport[]> {
  const rows = await query<{ node: string; success: boolean; result: string; citus: string }>(
    `select format('%s:%s', nodename, nodeport) as node, success, result,
       (select extversion from pg_extension where extname = 'citus') as citus
     from run_command_on_workers($report$${REPORT}$report$)
     order by 1`,
  )
  return rows.map(({ node, success, result, citus }) =>
    success
      ? { node, failure: null, expectedCitus: citus, ...JSON.parse(result) }
      : { node, failure: result },
  )
}

/** Why the cluster can't work with this worker; null if it can. */
export function workerProblem(worker: WorkerReport): ClusterProblem | null {
  const { node } = worker
  if (worker.failure !== null) {
    return {
      message: `The worker ${node} does not respond: ${worker.failure}`,
      fix: 'Start the worker, and check that the coordinator can sign in there (pg_dist_authinfo)',
    }
  }
  if (worker.citus !== worker.expectedCitus) {
    return worker.citus === null
      ? {
          message: `${node} has no Citus`,
          fix: `Install version ${worker.expectedCitus}, then run there: create extension citus`,
        }
      : {
          message: `${node} has Citus ${worker.citus}, but the coordinator has ${worker.expectedCitus}`,
          fix: 'Install the same version everywhere, then run there: alter extension citus update',
        }
  }
  if (!worker.hasLockTimeout) {
    return {
      message: `On ${node} the role ${worker.role} does not have the lock timeout of 2s`,
      fix: `Run there: alter role ${worker.role} set lock_timeout = '2s'`,
    }
  }
  return null
}

const MAX_RECOVERY_SECONDS = 10

/** A problem if Citus recovers prepared transactions too rarely, or never: after a crash they hold locks until then. */
export async function recoveryProblem(query: Query): Promise<ClusterProblem | null> {
  const [row] = await query<{ value: string; seconds: number }>(
    `select value, extract(epoch from value::interval)::float8 as seconds
     from current_setting('citus.recover_2pc_interval') as value`,
  )
  const { value, seconds } = row!
  if (seconds > 0 && seconds <= MAX_RECOVERY_SECONDS) return null
  return {
    message: `citus.recover_2pc_interval is ${value}: after a crash, locks of unfinished transactions stay too long`,
    fix: `Run on the coordinator as a superuser: alter system set citus.recover_2pc_interval = '5s'; select pg_reload_conf()`,
  }
}
