import { Argument, Command } from 'commander'
import { addOperatorCommands } from './commands/commands.ts'
import { completionOf, SHELLS } from './completion.ts'
import { addLinkCommands } from './links.ts'
import { addMerchantOptions, type MerchantOptions } from './merchant.ts'
import { addPaymentCommands } from './payments.ts'
import { escapeLines, print, printLine } from './print.ts'
import { TRIGGERS, trigger } from './trigger.ts'
import { version } from './version.ts'

type Json = { json?: boolean }
type AuditOptions = { head?: string; full?: boolean; reseal?: boolean; archives?: string }
type RestoreOptions = {
  replace: boolean
  until: string
  takeArchive: boolean
  secretKey: string
  pepper: string
}

const EXAMPLES = `
Examples:
  florin payments create 12.50 USD
  florin listen --forward-to http://localhost:3000/hook
  florin doctor

Store and sandbox commands use the demo's sandbox keys. Set FLORIN_URL,
FLORIN_API_KEY and FLORIN_API_SECRET for others.`

/**
 * Builds the command tree. Most commands import their code only when they run, so that startup stays fast.
 * With `--json`, commander prints no errors; runCommand.ts prints them as JSON.
 */
export function buildProgram({ json }: { json: boolean }): Command {
  const program = new Command('florin')
    .description('Run and manage a Florin payment service.')
    .version(version)
    .showHelpAfterError('(add --help for usage)')
    // Throw instead of exiting: runCommand.ts maps errors to exit codes.
    .exitOverride()
  if (json) program.configureOutput({ writeErr: () => {} })
  program.addHelpText('after', EXAMPLES)
  program.commandsGroup('Payments of a store:')
  addPaymentCommands(program)
  addLinkCommands(program)
  program.commandsGroup('Develop with the sandbox:')
  addSandboxCommands(program)
  program.commandsGroup('Run the service:')
  addServiceCommands(program)
  addDataCommands(program)
  addOperatorCommands(program)
  program
    .commandsGroup('Other commands:')
    .helpCommand(true)
    .command('completion')
    .description('print a completion script for your shell')
    .addArgument(new Argument('<shell>').choices(SHELLS))
    .action((shell: string) => printLine(completionOf(program, shell)))
  for (const command of leavesOf(program)) {
    // `start` logs JSON lines and `completion` prints a script.
    if (!['start', 'completion'].includes(command.name())) command.option('--json', 'print JSON')
    // A command added with `addCommand` does not inherit these settings.
    command.copyInheritedSettings(program)
  }
  return program
}

/** Returns all commands without subcommands. */
export function leavesOf(command: Command): Command[] {
  return command.commands.flatMap((child) =>
    child.commands.length === 0 ? [child] : leavesOf(child),
  )
}

function addServiceCommands(program: Command): void {
  program
    .command('start')
    .description('start the service, like npm start')
    .action(async () => {
      await import('@florin/server/main.js')
    })
  program
    .command('migrate')
    .description('migrate the database')
    .option('--citus', 'also distribute the tables over the Citus cluster')
    .action(async ({ json, citus = false }: Json & { citus?: boolean }) => {
      const { withService } = await import('./local.ts')
      const isDistributed = await withService(
        async ({ service }) => service.database.isDistributed,
        {
          upgrade: true,
          distribute: citus,
          print: (line) => void process.stderr.write(`${escapeLines(line)}\n`),
        },
      )
      if (json) print({ up_to_date: true, distributed: isDistributed }, { json, columns: null })
      else
        printLine(
          `The database is up to date${isDistributed ? ' and distributed over its cluster' : ''}.`,
        )
    })
  program
    .command('doctor')
    .description('check settings, database, clock, port and addresses')
    .option('--webhook-url <url>', 'also call this webhook receiver')
    .action(async (options: Json & { webhookUrl?: string }) => {
      const { doctor } = await import('./doctor/doctor.ts')
      process.exitCode = await doctor(options)
    })
}

function addDataCommands(program: Command): void {
  program
    .command('demo')
    .description('manage the demo that FLORIN_DEMO=1 creates')
    .command('revoke')
    .description(
      "revoke the demo's keys and token, disable its operator and people, and lock its wallets",
    )
    .action(async ({ json }: Json) => {
      const { revokeDemo } = await import('./demo.ts')
      const report = await revokeDemo()
      print(report, { json: json === true, columns: null })
      if (json || !report.is_demo) return
      printLine('\nSet FLORIN_DEMO=0, or the next start creates a new demo.')
    })
  program
    .command('audit')
    .description('audit the ledger and the audit log; exit code 1 if there are errors')
    .option('--head <head>', 'head of the audit log that an earlier audit printed')
    .option('--full', 'check all rows again, including those of sealed days')
    .option('--reseal', 'check all rows, and replace the seals of earlier audits')
    .option('--archives <folder>', 'also check the files of florin archive in this folder')
    .action(async ({ json, head, full, reseal, archives }: Json & AuditOptions) => {
      const { audit } = await import('./audit.ts')
      process.exitCode = await audit({
        json: json === true,
        scope: reseal ? 'reseal' : full ? 'all' : 'new',
        ...(head === undefined ? {} : { head }),
        ...(archives === undefined ? {} : { archives }),
      })
    })
  program
    .command('archive')
    .description('move the transfers of payments in old months from the database to files')
    .requiredOption('--before <month>', 'first month that stays, such as 2026-01')
    .requiredOption('--to <folder>', 'folder for the files')
    .action(async ({ json, before, to }: Json & { before: string; to: string }) => {
      const { archive } = await import('./archive.ts')
      await archive({ json: json === true, before, to })
    })
  program
    .command('rotate-key')
    .description('replace the secret key, while the service is stopped')
    .option('--keep-broken-seals', 'also if seals are broken: audits still report them')
    .action(async ({ json, keepBrokenSeals }: Json & { keepBrokenSeals?: boolean }) => {
      const { rotateKey } = await import('./rotateKey.ts')
      await rotateKey({ json: json === true, keepsBroken: keepBrokenSeals === true })
    })
  program
    .command('reset-pepper')
    .description('replace a lost or leaked pepper, while the service is stopped')
    .option('--discard-pins', 'required: PINs and activation codes stop working')
    .action(async ({ json, discardPins }: Json & { discardPins?: boolean }) => {
      const { resetPepper } = await import('./resetPepper.ts')
      await resetPepper({ json: json === true, discardsPins: discardPins === true })
    })
  program
    .command('backup')
    .argument('<file>', 'new file, such as florin.tar.gz')
    .description('back up the embedded database to a file, without its keys, and verify it')
    .action(async (file: string, { json }: Json) => {
      const { backup } = await import('./backup/backup.ts')
      const report = await backup(file)
      print(report, { json: json === true, columns: null })
      if (json) return
      printLine(
        '\nThe backup is complete and verified. It contains personal data: only you can read it (mode 600).',
      )
      printLine('It does not contain these keys. Keep copies of them apart from your backups:')
      for (const key of report.keys) printLine(`  ${key}`)
    })
  program
    .command('restore')
    .argument('<file>', 'file from florin backup')
    .description('verify a backup, audit it and replace the data with it')
    .option('--replace', 'replace existing data; the old data is kept')
    .option('--until <time>', 'replay the log in FLORIN_ARCHIVE up to this time, or latest')
    .option('--take-archive', 'take ownership of FLORIN_ARCHIVE from a lost installation')
    .option('--secret-key <file>', 'secret.key of the backup')
    .option('--pepper <file>', 'pepper.key of the backup')
    .action(async (file: string, options: Json & Partial<RestoreOptions>) => {
      const { restore, parseUntil } = await import('./backup/restore.ts')
      const { json, replace = false, takeArchive: takesArchive = false } = options
      const report = await restore(file, {
        replace,
        until: parseUntil(options.until),
        takesArchive,
        keyPaths: { 'secret.key': options.secretKey, 'pepper.key': options.pepper },
      })
      print(report, { json: json === true, columns: null })
      if (json) return
      printLine('\nRestored. The ledger has no errors.')
      if (report.contained_key) {
        printLine(
          'This backup is from an earlier version and contains its key. Make a new backup, and delete this one.',
        )
      }
      if (report.may_archive !== false) return
      printLine(
        'The archive belongs to another data folder. Start this one with another archive, or without one.',
      )
    })
}

function addSandboxCommands(program: Command): void {
  addMerchantOptions(
    program
      .command('listen')
      .description('forward sandbox events to your machine')
      .requiredOption('--forward-to <url>', 'such as http://localhost:3000/hook'),
  ).action(async (options: MerchantOptions & Json & { forwardTo: string }) => {
    const { listen } = await import('./listen.ts')
    const stop = new AbortController()
    process.once('SIGINT', () => stop.abort())
    process.once('SIGTERM', () => stop.abort())
    // Nobody reads the output any more.
    process.stdout.once('error', () => stop.abort())
    await listen(options, stop.signal)
  })
  addMerchantOptions(
    program
      .command('trigger')
      .addArgument(new Argument('<event>', 'event to trigger').choices(TRIGGERS))
      .description('create a sandbox payment with this outcome')
      .option('--webhook-url <url>', 'URL that receives the webhook'),
  ).action(async (event: string, options: MerchantOptions & Json & { webhookUrl?: string }) => {
    print(await trigger(event, options), { json: options.json === true, columns: null })
  })
}
