import { randomBytes } from 'node:crypto'
import { readConfig } from '../../server/dist/config.js'
import { startLoops } from '../../server/dist/loops.js'
import { createLog } from '../../server/dist/open.js'
import { openService } from '../../server/dist/service.js'
import { serve } from '../lib/child.mjs'

// The service as users run it, without the HTTP side that nobody calls here: all its loops, signing,
// the guard's check of every connection, an attempt written for each delivery.
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
  /** What a commit in this process does: deliveries are due, go and look. */
  wake: () => service.dispatcher.wake(),
  async stop() {
    await stopLoops()
    await service.database.close()
  },
})
