import { prepare } from './prepare.mjs'

prepare()
if (process.env.npm_lifecycle_event) stopWithParent()
// In this very process, so that signals reach the service and its exit code is the command's.
await import('../server/dist/main.js')

// Ctrl-C reaches everything in a terminal, but `kill` of npm ends only npm and the shell that it put in
// between, and the service would go on unseen with its port taken.
function stopWithParent() {
  const parent = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    process.kill(process.pid, 'SIGTERM')
  }, 250)
  timer.unref()
}
