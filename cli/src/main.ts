import { Command } from 'commander'
import { audit } from './audit.ts'
import { addOperatorCommands } from './commands.ts'
import { Refused, withService } from './local.ts'

const program = new Command('florin')
  .description('Runs and looks after a Florin payment service.')
  .showHelpAfterError('(add --help for what can be said here)')

program
  .command('start')
  .description('starts the service, as npm start does')
  .action(async () => {
    await import('@florin/server/main.js')
  })

program
  .command('migrate')
  .description('brings the database up to date and ends')
  .action(() =>
    withService(async () => {
      process.stdout.write('The database is up to date.\n')
    }),
  )

program
  .command('audit')
  .description('proves from the rows that no cent is lost; exit code 1 where one is')
  .option('--json', 'for scripts')
  .action(async (options: { json?: boolean }) => {
    process.exitCode = await audit({ json: options.json === true })
  })

addOperatorCommands(program)

program.parseAsync().catch((error: unknown) => {
  const message = error instanceof Refused ? error.message : (error as Error).stack
  process.stderr.write(`${message}\n`)
  process.exitCode = 1
})
