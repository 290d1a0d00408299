import { Command } from 'commander'
import { audit } from './audit.ts'
import { addOperatorCommands } from './commands.ts'
import { listen } from './listen.ts'
import { Refused, withService } from './local.ts'
import type { MerchantOptions } from './merchant.ts'
import { print } from './print.ts'
import { TRIGGERS, trigger } from './trigger.ts'

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
    withService(
      async () => {
        process.stdout.write('The database is up to date.\n')
      },
      { upgrade: true },
    ),
  )

program
  .command('audit')
  .description('proves from the rows that no cent is lost; exit code 1 where one is')
  .option('--json', 'for scripts')
  .action(async (options: { json?: boolean }) => {
    process.exitCode = await audit({ json: options.json === true })
  })

for (const command of [
  program
    .command('listen')
    .description('forwards sandbox events to your own machine as they happen')
    .requiredOption('--forward-to <url>', 'such as http://localhost:3000/hook')
    .action(async (options: MerchantOptions & { forwardTo: string }) => {
      const stopped = new Promise((resolve) => {
        process.once('SIGINT', resolve)
        process.once('SIGTERM', resolve)
      })
      await listen(options.forwardTo, options, stopped)
    }),
  program
    .command('trigger')
    .argument('<event>', TRIGGERS.join(', '))
    .description('makes a sandbox payment and takes it to an outcome')
    .option('--webhook-url <url>', 'where the service shall send the webhook')
    .option('--json', 'for scripts')
    .action(async (event: string, options: MerchantOptions & { json?: boolean }) => {
      print(await trigger(event, options), { json: options.json === true, columns: null })
    }),
]) {
  command
    .option('--url <url>', 'address of the service; FLORIN_URL, else the demo')
    .option('--api-key <key>', 'sandbox key; FLORIN_API_KEY, else that of the demo')
    .option('--api-secret <secret>', 'its secret; FLORIN_API_SECRET, else that of the demo')
}

addOperatorCommands(program)

program.parseAsync().catch((error: unknown) => {
  const message = error instanceof Refused ? error.message : (error as Error).stack
  process.stderr.write(`${message}\n`)
  process.exitCode = 1
})
