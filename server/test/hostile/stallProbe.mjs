// Loaded into the service under test with --import. Answers each message of the parent process with
// the longest time, in milliseconds, for which the event loop was blocked since the previous message. Time
// in which the process waited for a busy machine doesn't count: the loop can't have been blocked for longer
// than the CPU time of the process.
const PROBE_INTERVAL_MS = 2
let longestMs = 0
let lastMs = performance.now()
let cpu = process.cpuUsage()

function tick() {
  const now = performance.now()
  longestMs = Math.max(longestMs, now - lastMs - PROBE_INTERVAL_MS)
  lastMs = now
}
setInterval(tick, PROBE_INTERVAL_MS).unref()

process.on('message', () => {
  tick()
  const { user, system } = process.cpuUsage(cpu)
  process.send(Math.min(longestMs, (user + system) / 1000))
  longestMs = 0
  cpu = process.cpuUsage()
})
// The channel must not keep the process alive.
process.channel.unref()
