import { EXIT, printFailure } from './failure.ts'
import { runCommand } from './runCommand.ts'

const args = process.argv.slice(2)

// After an error of the output, finish the work instead of leaving half of it, and the embedded database, behind.
let hasOutputFailed = false
process.stdout.on('error', ({ code, message }: NodeJS.ErrnoException) => {
  // A reader such as head closes the pipe early. That is not an error.
  if (code === 'EPIPE' || hasOutputFailed) return
  hasOutputFailed = true
  process.once('exit', () => {
    process.exitCode ||= EXIT.refused
  })
  printFailure(
    {
      message: `Cannot write the output: ${message}. What the command has changed stays changed.`,
      exitCode: EXIT.refused,
      problems: [],
    },
    { json: args.includes('--json') },
  )
})
// The exit code still tells what happened.
process.stderr.on('error', () => {})

void runCommand(args).then((code) => {
  process.exitCode = code
})
