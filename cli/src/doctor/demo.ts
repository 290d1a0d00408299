import { type Config, isLoopbackUrl } from '@florin/server/config.js'
import type { Queryable } from '@florin/server/database/database.js'
import { describeAccess, findDemoAccess } from '@florin/server/demoAccess.js'
import { type Finding, problem, warning } from './finding.ts'

/** What the demo made, where it is off or others can reach it. Its secrets are in demo.json, and in every copy of it. */
export async function checkDemo(
  database: Queryable,
  { isDemo, publicUrl }: Config,
): Promise<Finding[]> {
  const isPublic = !isLoopbackUrl(publicUrl)
  if (isDemo && !isPublic) return []
  const found = await findDemoAccess(database)
  if (found.length === 0) return []
  const says = `what the demo made still works: ${describeAccess(found)}. Its secrets are in demo.json and in every copy of it`
  const todo = 'Revoke it: npx florin demo revoke'
  return [isPublic ? problem('demo', says, todo) : warning('demo', says, todo)]
}
