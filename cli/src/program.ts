import { Argument, Command } from 'commander'
import { addOperatorCommands } from './commands/commands.ts'
import { completionOf, SHELLS } from './completion.ts'
import { addMerchantOptions, type MerchantOptions } from './merchant.ts'
import { addPaymentCommands } from './payments.ts'
import { print, printLine } from './print.ts'
import { TRIGGERS, trigger } from './trigger.ts'
import { version } from './version.ts'

type Json = { json?: boolean }
type RestoreOptions = {
  replace: boolean
  until: string
  takeArchive: boolean
  secretKey: string
  pepper: string
}

/**
 * What each command needs is loaded when it is run, so that the others are quick. Where errors are said in
 * JSON, commander leaves them to whoever catches them.
 */
export function buildProgram({ json }: { json: boolean }): Command {
  const program = new Command('florin')
    .description('Runs and looks after a Florin payment service.')
    .version(version)
    .showHelpAfterError('(add --help for what can be said here)')
    // Every command ends in one place, which knows the exit codes.
    .exitOverride()
  if (json) program.configureOutput({ writeErr: () => {} })
  addServiceCommands(program)
  addDataCommands(program)
  addPaymentCommands(program)
  addSandboxCommands(program)
  addOperatorCommands(program)
  program
    .command('completion')
    .description('what to add to your shell so that it completes these commands')
    .addArgument(new Argument('<shell>').choices(SHELLS))
    .action((shell: string) => printLine(completionOf(program, shell)))
  for (const command of leavesOf(program)) {
    // The service writes its log, as JSON lines; the other is a script.
    if (!['start', 'completion'].includes(command.name())) command.option('--json', 'for scripts')
    // Those that were made apart do not know yet what they belong to.
    command.copyInheritedSettings(program)
  }
  return program
}

/** The commands that do something, that is those without any below them. */
export function leavesOf(command: Command): Command[] {
  return command.commands.flatMap((one) => (one.commands.length === 0 ? [one] : leavesOf(one)))
}

function addServiceCommands(program: Command): void {
  program
    .command('start')
    .description('starts the service, as npm start does')
    .action(async () => {
      await import('@florin/server/main.js')
    })
  program
    .command('migrate')
    .description('brings the database up to date and ends')
    .option('--citus', 'and spreads its tables over the cluster that it is the coordinator of')
    .action(async ({ json, citus = false }: Json & { citus?: boolean }) => {
      const { withService } = await import('./local.ts')
      const isSpread = await withService(async ({ service }) => service.database.isSpread, {
        upgrade: true,
        spread: citus,
      })
      if (json) print({ up_to_date: true, spread: isSpread }, { json, columns: null })
      else
        printLine(`The database is up to date${isSpread ? ', and spread over its cluster' : ''}.`)
    })
  program
    .command('doctor')
    .description('looks at settings, database, clock, port and addresses, and says what to do')
    .option('--webhook-url <url>', 'calls this receiver as well')
    .action(async (options: Json & { webhookUrl?: string }) => {
      const { doctor } = await import('./doctor/doctor.ts')
      process.exitCode = await doctor(options)
    })
}

function addDataCommands(program: Command): void {
  program
    .command('demo')
    .description('manages the demo that FLORIN_DEMO=1 creates')
    .command('revoke')
    .description("revokes the demo's keys and token, disables its people and locks its wallets")
    .action(async ({ json }: Json) => {
      const { revokeDemo } = await import('./demo.ts')
      const report = await revokeDemo()
      print(report, { json: json === true, columns: null })
      if (json || !report.is_demo) return
      printLine('\nSet FLORIN_DEMO=0, or the next start creates a new demo.')
    })
  program
    .command('audit')
    .description('proves from the rows that no cent is lost; exit code 1 where one is')
    .action(async ({ json }: Json) => {
      const { audit } = await import('./audit.ts')
      process.exitCode = await audit({ json: json === true })
    })
  program
    .command('backup')
    .argument('<file>', 'such as florin.tar.gz')
    .description('writes the embedded database into a file, without its keys, and checks it')
    .action(async (file: string, { json }: Json) => {
      const { backup } = await import('./backup/backup.ts')
      const report = await backup(file)
      print(report, { json: json === true, columns: null })
      if (json) return
      printLine(
        '\nThe backup is complete and verified. It contains personal data: only you can read it (mode 600).',
      )
      printLine('It does not contain these keys. Keep a copy of each, apart from your backups:')
      for (const key of report.keys) printLine(`  ${key}`)
    })
  program
    .command('restore')
    .argument('<file>', 'that florin backup wrote')
    .description('checks a backup, starts and audits it, and puts it in place')
    .option('--replace', 'also where there is data, which is kept aside')
    .option(
      '--until <time>',
      'with what happened up to then, by the log in FLORIN_ARCHIVE; or latest',
    )
    .option(
      '--take-archive',
      'where this takes the place of the shop whose log is in FLORIN_ARCHIVE',
    )
    .option('--secret-key <file>', 'the secret.key that belongs to it')
    .option('--pepper <file>', 'the pepper.key that belongs to it')
    .action(async (file: string, options: Json & Partial<RestoreOptions>) => {
      const { restore, momentOf } = await import('./backup/restore.ts')
      const { json, replace = false, takeArchive: take = false } = options
      const report = await restore(file, {
        replace,
        until: momentOf(options.until),
        take,
        given: { 'secret.key': options.secretKey, 'pepper.key': options.pepper },
      })
      print(report, { json: json === true, columns: null })
      if (json) return
      printLine('\nIn place. The ledger is sound.')
      if (report.contained_key) {
        printLine(
          'This backup is from an earlier version and contains its key. Make a new backup, and delete this one.',
        )
      }
      if (report.may_archive !== false) return
      printLine("The archive stays another data folder's: start this one with another, or without.")
    })
}

function addSandboxCommands(program: Command): void {
  addMerchantOptions(
    program
      .command('listen')
      .description('forwards sandbox events to your own machine as they happen')
      .requiredOption('--forward-to <url>', 'such as http://localhost:3000/hook'),
  ).action(async (options: MerchantOptions & Json & { forwardTo: string }) => {
    const { listen } = await import('./listen.ts')
    const stopped = new Promise((resolve) => {
      process.once('SIGINT', resolve)
      process.once('SIGTERM', resolve)
    })
    await listen(options, stopped)
  })
  addMerchantOptions(
    program
      .command('trigger')
      .addArgument(new Argument('<event>', 'what shall happen').choices(TRIGGERS))
      .description('makes a sandbox payment and takes it to an outcome')
      .option('--webhook-url <url>', 'where the service shall send the webhook'),
  ).action(async (event: string, options: MerchantOptions & Json & { webhookUrl?: string }) => {
    print(await trigger(event, options), { json: options.json === true, columns: null })
  })
}
