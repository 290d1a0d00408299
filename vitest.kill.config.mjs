import { defineConfig } from 'vitest/config'
import { shared } from './vitest.config.mjs'

// Tests that kill the service and PostgreSQL under load; they take minutes.
export default defineConfig({
  test: { ...shared, include: ['server/test/**/*.kill.ts'] },
})
