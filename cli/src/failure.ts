import { escapeControls, escapeLines, formatJson } from './print.ts'

/** Exit codes, documented in docs/cli.md. */
export const EXIT = {
  refused: 1,
  usage: 2,
  unreachable: 3,
  paymentFailed: 10,
  paymentExpired: 11,
  paymentRefunded: 12,
  paymentPending: 13,
  bug: 70,
  /** The shell's convention for Ctrl-C. */
  interrupted: 130,
} as const

export type Problem = { readonly field: string; readonly message: string }

/** An expected failure with a message for the user. Any other error is a bug, except a system error such as a full disk. */
export class Refused extends Error {
  readonly exitCode: number = EXIT.refused
  readonly problems: readonly Problem[]

  constructor(message: string, problems: readonly Problem[] = []) {
    super(message)
    this.problems = problems
  }
}

/** The command line is invalid. */
export class UsageError extends Refused {
  override readonly exitCode = EXIT.usage
}

/** The service or its database is unreachable, overloaded or failing. Retrying later may work. */
export class Unreachable extends Refused {
  override readonly exitCode = EXIT.unreachable
}

/** Prints to standard error, as JSON with `--json`. */
export function printFailure(
  { message, exitCode, problems }: Pick<Refused, 'message' | 'exitCode' | 'problems'>,
  { json }: { json: boolean },
): void {
  const errors = problems.length === 0 ? {} : { errors: problems }
  const text = json
    ? formatJson({ message, exit_code: exitCode, ...errors })
    : [
        escapeLines(message),
        ...problems.map((problem) => `  - ${escapeControls(problem.message)}`),
      ].join('\n')
  process.stderr.write(`${text}\n`)
}
