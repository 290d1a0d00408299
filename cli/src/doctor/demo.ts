import type { Config } from '@florin/server/config.js'
import { isLoopbackUrl } from '@florin/server/core/loopback.js'
import type { Queryable } from '@florin/server/database/database.js'
import { describeAccess, findDemoAccess } from '@florin/server/demoAccess.js'
import { type Finding, problem, warning } from './finding.ts'

/** Reports demo credentials that work while the demo is off or the service is public. Their secrets are in demo.json. */
export async function checkDemo(
  database: Queryable,
  { isDemo, publicUrl }: Config,
): Promise<Finding[]> {
  const isPublic = !isLoopbackUrl(publicUrl)
  if (isDemo && !isPublic) return []
  const found = await findDemoAccess(database)
  if (found.length === 0) return []
  const message = `the demo's credentials still work: ${describeAccess(found)}. Their secrets are in demo.json and in every copy of it`
  const fix = 'Revoke them: npx florin demo revoke'
  return [isPublic ? problem('demo', message, fix) : warning('demo', message, fix)]
}
