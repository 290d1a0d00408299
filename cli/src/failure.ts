/** What scripts can rely on; docs/cli.md tells them the same. */
export const EXIT = {
  refused: 1,
  usage: 2,
  unreachable: 3,
  paymentFailed: 10,
  paymentExpired: 11,
  paymentRefunded: 12,
  paymentPending: 13,
  bug: 70,
  /** As shells count a command that Ctrl-C ended. */
  interrupted: 130,
} as const

export type Problem = { readonly field: string; readonly message: string }

/** Said no to, in words that are for people: whatever is thrown beside these is a mistake of ours. */
export class Refused extends Error {
  readonly exitCode: number = EXIT.refused
  readonly problems: readonly Problem[]

  constructor(message: string, problems: readonly Problem[] = []) {
    super(message)
    this.problems = problems
  }
}

/** What was typed makes no sense, whatever the service would say to it. */
export class Misused extends Refused {
  override readonly exitCode = EXIT.usage
}

/** The service or its database does not answer; the same command may work later. */
export class Unreachable extends Refused {
  override readonly exitCode = EXIT.unreachable
}

/** On standard error, as JSON where the command was asked for JSON. */
export function printFailure(
  { message, exitCode, problems }: Pick<Refused, 'message' | 'exitCode' | 'problems'>,
  { json }: { json: boolean },
): void {
  const errors = problems.length === 0 ? {} : { errors: problems }
  const text = json
    ? JSON.stringify({ message, exit_code: exitCode, ...errors })
    : [message, ...problems.map((problem) => `  - ${problem.message}`)].join('\n')
  process.stderr.write(`${text}\n`)
}
