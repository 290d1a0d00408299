import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const program = join(root, 'node_modules/oxlint/bin/oxlint')

type Report = {
  readonly diagnostics: readonly {
    readonly code: string
    readonly labels: readonly { readonly span: { readonly line: number } }[]
  }[]
}

/** Lints a file of these lines with the project's configuration. Returns each problem as "line: rule", once. */
export async function problemsOf(name: string, lines: readonly string[]): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'florin-lint-'))
  try {
    const path = join(folder, name)
    await writeFile(path, `${lines.join(';\n')}\n`)
    const options = ['--config', join(root, '.oxlintrc.json'), '--type-aware', '--format', 'json']
    const { diagnostics } = JSON.parse(await outputOf([program, ...options, path])) as Report
    const found = diagnostics.map(({ code, labels }) => `${labels[0]!.span.line}: ${code}`)
    return [...new Set(found)].sort()
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** The output, for any exit code: oxlint ends with 1 when it finds problems. */
function outputOf(args: string[]): Promise<string> {
  return new Promise((resolve) => {
    execFile(process.execPath, args, { cwd: root }, (_error, stdout) => resolve(stdout))
  })
}
