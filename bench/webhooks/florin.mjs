import { randomBytes } from 'node:crypto'
import { readConfig } from '../../server/dist/config.js'
import { startLoops } from '../../server/dist/loops.js'
import { createLog } from '../../server/dist/open.js'
import { openService } from '../../server/dist/service.js'
import { serve } from '../lib/child.mjs'

// The service without its HTTP server: all loops, signing, and a stored attempt per delivery. Private addresses are allowed,
// so the receiver's address is not checked.
let service
let stopLoops

serve({
  start({ databaseUrl, secretKey }) {
    const config = readConfig({
      DATABASE_URL: databaseUrl,
      FLORIN_WEBHOOK_PRIVATE: 'allow',
      FLORIN_LOG_LEVEL: 'warn',
    })
    service = openService(config, {
      databaseUrl,
      secretKey: Buffer.from(secretKey, 'base64'),
      pepper: randomBytes(32),
      log: createLog(config.logLevel),
    })
    stopLoops = startLoops(service)
  },
  /** Wakes the dispatcher, like a commit in this process. */
  wake: () => service.dispatcher.wake(),
  async stop() {
    await stopLoops()
    await service.close()
  },
})
