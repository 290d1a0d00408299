import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type DemoAccess, revokeDemoAccess } from '@florin/server/demoAccess.js'
import { Refused } from './failure.ts'
import { commandLineName, withService } from './local.ts'

type RevokedDemo = {
  readonly revoked: readonly DemoAccess[]
  /** Whether the next start creates a new demo. */
  readonly is_demo: boolean
}

/** Revokes the demo's credentials and deletes the file with their secrets. */
export async function revokeDemo(): Promise<RevokedDemo> {
  return withService(async ({ service }) => {
    const actor = { name: commandLineName(), requestId: null }
    const revoked = await revokeDemoAccess(service.database, actor)
    if (revoked === null) {
      throw new Refused(
        "The demo's operator is the only admin. Add your own first: npx florin operators add --name Alice --email alice@example.com --role admin",
      )
    }
    const { dataFolder, isDemo } = service.config
    await rm(join(dataFolder, 'demo.json'), { force: true })
    return { revoked, is_demo: isDemo }
  })
}
