// Loaded into the service under test with --import. Answers each message of the parent process with the longest time
// in milliseconds for which the event loop was blocked since the previous message. At most the CPU time of the process
// counts, because it may also have waited for a busy machine.
const PROBE_INTERVAL_MS = 2
let longestMs = 0
let lastMs = performance.now()
let lastCpu = process.cpuUsage()

function tick() {
  const now = performance.now()
  const { user, system } = process.cpuUsage(lastCpu)
  const blockedMs = Math.min(now - lastMs - PROBE_INTERVAL_MS, (user + system) / 1000)
  longestMs = Math.max(longestMs, blockedMs)
  lastMs = now
  lastCpu = process.cpuUsage()
}
setInterval(tick, PROBE_INTERVAL_MS).unref()

process.on('message', () => {
  tick()
  process.send(longestMs)
  longestMs = 0
})
// The channel must not keep the process alive.
process.channel.unref()
