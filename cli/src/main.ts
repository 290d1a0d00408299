import { runCommand } from './runCommand.ts'

// A reader such as head closes the pipe early. That is not an error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit()
  throw error
})

void runCommand(process.argv.slice(2)).then((code) => {
  process.exitCode = code
})
