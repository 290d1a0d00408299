import {
  readWorkers,
  recoveryProblem,
  workerProblem,
} from '@florin/server/database/citus/workers.js'
import type { Queryable } from '@florin/server/database/database.js'
import { type Finding, ok, problem, warning } from './finding.ts'

/** Checks every worker of a Citus cluster, and the settings of its coordinator. */
export async function checkCluster(database: Queryable): Promise<Finding[]> {
  const query = <Row>(text: string) => database.query<Row>(text)
  const workers = await readWorkers(query)
  const findings = workers.flatMap((worker): Finding[] => {
    const found = workerProblem(worker)
    if (found !== null) return [problem('worker', found.message, `${found.fix}.`)]
    if (worker.failure !== null || worker.off.length === 0) {
      return [ok('worker', `${worker.node} responds, and acknowledged writes are on its disk`)]
    }
    const settings = worker.off.join(' and ')
    const message = `${worker.node} has ${settings} off: a power failure would lose acknowledged payments`
    const fix = `Set ${settings} to on in postgresql.conf of the worker, and reload.`
    return [problem('durability', message, fix)]
  })
  const recovery = await recoveryProblem(query)
  if (recovery !== null) findings.push(warning('recovery', recovery.message, `${recovery.fix}.`))
  return findings
}
