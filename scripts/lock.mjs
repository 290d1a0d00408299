import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { uptime } from 'node:os'

const POLL_MS = 200
const MAX_WRITE_MS = 2_000

/** Runs `work` while no other process holds the same lock file. Ignores a file that a killed process left behind. */
export function withLock(file, work) {
  acquire(file)
  const release = () => rmSync(file, { force: true })
  // `work` may exit the process.
  process.once('exit', release)
  try {
    return work()
  } finally {
    process.off('exit', release)
    release()
  }
}

function acquire(file) {
  let reported
  while (!create(file)) {
    const owner = readOwner(file)
    if (owner === null) continue
    if (owner.isGone) {
      // Several processes may replace the file at the same time. The last one has it.
      const own = `${file}.${process.pid}`
      writeFileSync(own, String(process.pid))
      renameSync(own, file)
      pause()
      if (readOwner(file)?.pid === process.pid) return
    } else {
      if (owner.pid !== 0 && owner.pid !== reported) {
        console.error(
          `Waiting: process ${owner.pid} is installing or building here. If it is another program, delete ${file}.`,
        )
        reported = owner.pid
      }
      pause()
    }
  }
}

const pause = () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, POLL_MS)

function create(file) {
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' })
    return true
  } catch (error) {
    if (error.code === 'EEXIST') return false
    throw error
  }
}

/** Null if there is no file any more. */
function readOwner(file) {
  try {
    const pid = Number(readFileSync(file, 'utf8'))
    return { pid, isGone: isGone(pid, statSync(file).mtimeMs) }
  } catch (error) {
    if (error.code === 'ENOENT') return null
    throw error
  }
}

function isGone(pid, writtenMs) {
  const nowMs = Date.now()
  // After a restart of the machine, or in a new container, another process can have the same id.
  if (pid === process.pid || writtenMs < nowMs - uptime() * 1000) return true
  // Empty: the owner is about to write its id, or was interrupted before it did, for example by a full disk.
  if (pid === 0) return nowMs - writtenMs > MAX_WRITE_MS
  try {
    process.kill(pid, 0)
    return false
  } catch (error) {
    // EPERM: the process of another user.
    return error.code !== 'EPERM'
  }
}
