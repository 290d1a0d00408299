import { CommanderError } from 'commander'
import { EXIT, printFailure, Refused } from './failure.ts'
import { buildProgram } from './program.ts'

const json = process.argv.includes('--json')

// Whoever reads only the beginning, such as head, has what they wanted.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit()
  throw error
})

buildProgram({ json })
  .parseAsync()
  .catch((error: unknown) => {
    process.exitCode = exitCodeOf(error)
  })

function exitCodeOf(error: unknown): number {
  if (error instanceof CommanderError) {
    // Help that was asked for.
    if (error.exitCode === 0) return 0
    const message = error.message.replace(/^error: /, '')
    if (json) printFailure({ message, exitCode: EXIT.usage, problems: [] }, { json })
    return EXIT.usage
  }
  if (error instanceof Refused) {
    printFailure(error, { json })
    return error.exitCode
  }
  const { stack, message, syscall } = error as NodeJS.ErrnoException
  // The system's own no, such as a full disk or a folder that is somebody else's.
  if (syscall !== undefined) {
    printFailure({ message, exitCode: EXIT.refused, problems: [] }, { json })
    return EXIT.refused
  }
  const words = json ? message : (stack ?? message)
  printFailure({ message: words, exitCode: EXIT.bug, problems: [] }, { json })
  return EXIT.bug
}
