import { CommanderError } from 'commander'
import { EXIT, printFailure, Refused } from './failure.ts'
import { buildProgram } from './program.ts'

const json = process.argv.includes('--json')

// A reader such as head closes the pipe early. That is not an error.
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
    // --help and --version.
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
  // A system error, such as a full disk or a missing permission, is not a bug.
  if (syscall !== undefined) {
    printFailure({ message, exitCode: EXIT.refused, problems: [] }, { json })
    return EXIT.refused
  }
  const text = json ? message : (stack ?? message)
  printFailure({ message: text, exitCode: EXIT.bug, problems: [] }, { json })
  return EXIT.bug
}
