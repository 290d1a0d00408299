import { CommanderError } from 'commander'
import { EXIT, printFailure, Refused } from './failure.ts'
import { buildProgram } from './program.ts'

/** Runs a command and returns its exit code. */
export async function runCommand(args: readonly string[]): Promise<number> {
  const json = args.includes('--json')
  process.exitCode = 0
  try {
    await buildProgram({ json }).parseAsync(args, { from: 'user' })
    // Commands that report an outcome, such as `audit`, have set the exit code.
    return Number(process.exitCode)
  } catch (error) {
    return exitCodeOf(error, { json })
  }
}

function exitCodeOf(error: unknown, { json }: { json: boolean }): number {
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
