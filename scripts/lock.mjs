import { readFileSync, rmSync, writeFileSync } from 'node:fs'

const POLL_MS = 200

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
    if (owner !== null && !isRunning(owner)) {
      rmSync(file, { force: true })
    } else {
      if (owner !== null && owner !== reported) {
        console.error(
          `Waiting: process ${owner} is installing or building here. If it is another program, delete ${file}.`,
        )
        reported = owner
      }
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, POLL_MS)
    }
  }
}

function create(file) {
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' })
    return true
  } catch (error) {
    if (error.code === 'EEXIST') return false
    throw error
  }
}

/** Null if the owner has just created or deleted the file. */
function readOwner(file) {
  try {
    return Number(readFileSync(file, 'utf8')) || null
  } catch (error) {
    if (error.code === 'ENOENT') return null
    throw error
  }
}

function isRunning(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // The process of another user.
    return error.code === 'EPERM'
  }
}
