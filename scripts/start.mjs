import { prepare } from './prepare.mjs'

prepare()
if (process.env.npm_lifecycle_event) stopWithParent()
// Run in this process, so that signals reach the service and its exit code is the command's.
process.setSourceMapsEnabled(true)
await import('../dist/server.js')

// `kill` of npm ends only npm and its shell. Stop the service too, or it would keep the port.
function stopWithParent() {
  const parent = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    process.kill(process.pid, 'SIGTERM')
  }, 250)
  timer.unref()
}
