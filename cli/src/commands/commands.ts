import { Command, Option } from 'commander'
import { printUrlQr } from '../merchantCommands.ts'
import { print, printLine } from '../print.ts'
import { approvals, operators, tokens } from './operators.ts'
import { clients, people } from './people.ts'
import { auditLog, mail, paymentAudit, rates, securityEvents, webhooks } from './platform.ts'
import { keys, stores } from './stores.ts'
import type { Noun, Options, Verb } from './verb.ts'
import { wallets } from './wallets.ts'

/** The commands by the group in which the help lists them. */
const GROUPS: Record<string, { nouns: Record<string, Noun>; verbs: readonly Verb[] }> = {
  'Stores and wallets:': { nouns: { stores, keys, people, wallets, clients, rates }, verbs: [] },
  'Operate the service:': {
    nouns: { webhooks, mail, approvals, operators, tokens },
    verbs: [auditLog, paymentAudit, securityEvents],
  },
}

/** Adds the commands that call the operator API. */
export function addOperatorCommands(program: Command): void {
  for (const [group, { nouns, verbs }] of Object.entries(GROUPS)) {
    program.commandsGroup(group)
    for (const [noun, { about, verbs: nounVerbs }] of Object.entries(nouns)) {
      const command = program.command(noun).description(about)
      for (const verb of Object.values(nounVerbs)) addVerb(command, verb)
    }
    for (const verb of verbs) addVerb(program, verb)
  }
}

function addVerb(parent: Command, verb: Verb): void {
  const command = new Command(verb.usage.split(' ')[0]).description(verb.about)
  for (const name of verb.usage.split(' ').slice(1)) command.argument(name)
  for (const [flags, about, choices] of verb.options ?? []) {
    const option = new Option(flags, about)
    command.addOption(choices ? option.choices(choices) : option)
  }
  command.action(async () => {
    const { json, ...options } = command.opts<Options>()
    const call = verb.call(command.args, options)
    const { callOperator } = await import('../operator.ts')
    const { allPages = false, isDocument = false } = verb
    const data = await callOperator(call, { allPages })
    // Print a PIN that was generated here: it is stored only as a hash.
    const pin =
      call.body?.pin !== undefined && options.pin === undefined ? { pin: call.body.pin } : {}
    print(
      { ...(data as object), ...pin },
      {
        json: isDocument || json === true,
        columns: verb.columns ?? null,
      },
    )
    const link = json === true ? null : (verb.linkOf?.(data) ?? null)
    if (link !== null) await printUrlQr(link)
    if (json !== true && isPendingApproval(data)) printLine(`\n${PENDING_APPROVAL_NOTE}`)
  })
  parent.addCommand(command)
}

const PENDING_APPROVAL_NOTE =
  'Nothing has moved yet: the amount is above the approval limit. Another operator has to approve it in the console, on the Approvals page.'

/** Money verbs return the approval instead of the movement if a second operator has to approve it. */
function isPendingApproval(data: unknown): boolean {
  const { approval_id, state } = data as { approval_id?: string; state?: string }
  return approval_id !== undefined && state === 'pending'
}
