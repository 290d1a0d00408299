import { defineConfig } from 'vitest/config'
import { resolve, shared } from './vitest.config.mjs'

// Tests that kill the service and PostgreSQL under load; they take minutes.
export default defineConfig({
  resolve,
  test: { ...shared, include: ['server/test/**/*.kill.ts'] },
})
