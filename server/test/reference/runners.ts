import { execFile, spawn } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import ts from 'typescript'

const SDK = new URL('../../../sdk/dist/esm/index.js', import.meta.url).href

export type Environment = Readonly<Record<string, string>>

/** Creates a folder for the files that examples read and write. */
export async function createWorkFolder() {
  const folder = await mkdtemp(join(tmpdir(), 'florin-examples-'))
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) }
}

type CurlResponse = {
  readonly status: number
  readonly headers: Map<string, string>
  readonly text: string
}

/**
 * Opens one shell for all curl examples, because starting a shell for each is slow. Runs each example unchanged, and
 * also returns the status and headers of the response.
 */
export async function openShell(folder: string) {
  const at = (name: string) => join(folder, name)
  // Curl reads this option from its configuration file, so that the examples need not contain it.
  await writeFile(at('.curlrc'), `dump-header = "${at('headers')}"\n`)
  const { PATH, HOME } = process.env
  const shell = spawn('bash', { cwd: folder, env: { PATH, HOME, CURL_HOME: folder } })
  const codes = createInterface(shell.stdout)[Symbol.asyncIterator]()
  return {
    async run(source: string, env: Environment): Promise<CurlResponse> {
      const given = Object.entries(env).map(([name, value]) => `export ${name}='${value}'\n`)
      shell.stdin.write(`(\n${given.join('')}${source}\n) >out 2>err </dev/null; echo $?\n`)
      const { value: code } = await codes.next()
      if (code !== '0') throw new Error(`${source}\n${await readFile(at('err'), 'utf8')}`)
      const [first, ...rest] = (await readFile(at('headers'), 'utf8')).trim().split('\r\n')
      const pairs = rest.map((line) => /^([^:]+): *(.*)$/.exec(line)!)
      return {
        status: Number(first!.split(' ')[1]),
        // Of two headers with one name, keep the first: a sign-in sets the session cookie before the device cookie.
        headers: new Map(pairs.reverse().map(([, name, value]) => [name!.toLowerCase(), value!])),
        text: await readFile(at('out'), 'utf8'),
      }
    },
    close: () => void shell.stdin.end(),
  }
}

/** Runs all programs in one process and returns the output of each. */
type RunAll = (programs: readonly string[], folder: string, env: Environment) => Promise<string[]>

const PYTHON_DRIVER = `
import contextlib, io, json, sys
printed = []
for source in json.load(sys.stdin):
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(compile(source, "example.py", "exec"), {"__name__": "__main__"})
    printed.append(out.getvalue())
print(json.dumps(printed))
`
export const runPython: RunAll = (programs, folder, env) =>
  drive('python3', ['-c', PYTHON_DRIVER], programs, { folder, env })

const PHP_DRIVER = `
error_reporting(E_ALL);
set_error_handler(function ($level, $message) { throw new ErrorException($message); });
function printed(string $source): string {
    ob_start();
    eval('?>' . $source);
    return ob_get_clean();
}
echo json_encode(array_map('printed', json_decode(file_get_contents('php://stdin'))));
`
export const runPhp: RunAll = (programs, folder, env) =>
  drive('php', ['-r', PHP_DRIVER], programs, { folder, env })

const NODE_DRIVER = `
const printed = []
for (const file of JSON.parse(await new Response(process.stdin).text())) {
  const logged = []
  console.log = (...values) => logged.push(...values)
  await import(file)
  printed.push(JSON.stringify(logged))
}
process.stdout.write(JSON.stringify(printed))
`
/** The output of a program is a JSON array of the values that it logs. */
export const runTypeScript: RunAll = async (programs, folder, env) => {
  const modules = join(folder, 'modules')
  await mkdir(modules)
  const files = programs.map((_, index) => join(modules, `${index}.mjs`))
  for (const [index, source] of programs.entries()) {
    const options = { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 }
    const { outputText } = ts.transpileModule(source, { compilerOptions: options })
    await writeFile(files[index]!, outputText.replace("'@florin/sdk'", `'${SDK}'`))
  }
  const args = ['--input-type=module', '-e', NODE_DRIVER]
  return drive(process.execPath, args, files, { folder, env })
}

type RunOptions = { readonly folder: string; readonly env: Environment }

async function drive(
  program: string,
  args: readonly string[],
  given: readonly string[],
  options: RunOptions,
): Promise<string[]> {
  return JSON.parse(await run(program, args, options, JSON.stringify(given)))
}

function run(
  program: string,
  args: readonly string[],
  { folder, env }: RunOptions,
  input: string,
): Promise<string> {
  const { PATH, HOME } = process.env
  return new Promise((resolve, reject) => {
    const child = execFile(
      program,
      args,
      { cwd: folder, env: { PATH, HOME, ...env }, timeout: 60_000, maxBuffer: 64 * 1024 * 1024 },
      (error, stdout, stderr) => {
        if (error === null) return resolve(stdout)
        const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT'
        reject(
          new Error(
            isMissing
              ? `The examples of the reference need ${program}, which is not installed. On Debian as root, npm test installs it.`
              : `${program}: ${error.message}\n${stderr}`,
          ),
        )
      },
    )
    child.stdin!.end(input)
  })
}
