import { execFile } from 'node:child_process'
import { cp, mkdir, readFile, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { publint } from 'publint'

export type Engine = 'vendure' | 'medusa'

export const PROJECT = fileURLToPath(new URL('../../../', import.meta.url))
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024
const NPM = ['--no-audit', '--no-fund', '--loglevel=error']

export type Installed = {
  /** The folder of the shop. */
  readonly shop: string
  /** The version of the engine. */
  readonly version: string
  /** The problems that the linter and the package checks found. */
  readonly problems: readonly string[]
  /** The line of the integration's own tests that counts the passed ones. */
  readonly tests: string
}

/**
 * Builds, tests, packs and checks an integration in a copy outside the project. Then installs the engine from npm as the
 * example describes it, and our packages from their tarballs.
 */
export async function installShop(engine: Engine, folder: string): Promise<Installed> {
  const copy = join(folder, 'florin')
  const source = join(copy, 'integrations', engine)
  await cp(join(PROJECT, 'sdk'), join(copy, 'sdk'), { recursive: true })
  await cp(join(PROJECT, 'integrations'), join(copy, 'integrations'), {
    recursive: true,
    filter: (path) => !['node_modules', 'dist', 'dist-test'].includes(basename(path)),
  })
  await installLocked(source)
  const tests = lastLine(await run('npm', ['test', '--silent'], source), /^# pass/)
  const tarballs = join(folder, 'tarballs')
  await mkdir(tarballs, { recursive: true })
  const sdk = await pack(join(PROJECT, 'sdk'), tarballs)
  const plugin = await pack(source, tarballs)
  const shop = join(folder, engine)
  await cp(join(source, 'example'), shop, { recursive: true })
  // Not `npm ci`, which refuses a lockfile without the optional packages of other platforms.
  await run('npm', ['install', ...NPM, sdk, plugin], shop)
  const { dependencies } = await readJson(join(shop, 'package.json'))
  const core = engine === 'vendure' ? '@vendure/core' : '@medusajs/medusa'
  const problems = [...(await lint(source)), ...(await checkPackage(plugin))]
  return { shop, version: dependencies[core]!, tests, problems }
}

export async function run(
  program: string,
  args: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>> = {},
): Promise<string> {
  // npm passes the settings of this project in the environment. The shop must not get them.
  const outer = Object.entries(process.env).filter(([name]) => !name.startsWith('npm_'))
  const options = {
    cwd,
    env: { ...Object.fromEntries(outer), ...env },
    maxBuffer: MAX_OUTPUT_BYTES,
  }
  try {
    return (await promisify(execFile)(program, [...args], options)).stdout
  } catch (error) {
    const { message, stdout = '', stderr = '' } = error as Error & Record<string, string>
    throw new Error(`${message}\n${stdout}${stderr}`)
  }
}

/** A folder that is kept between runs is installed once. */
async function installLocked(folder: string): Promise<void> {
  // npm writes this file last.
  const isInstalled = await stat(join(folder, 'node_modules/.package-lock.json')).then(
    () => true,
    () => false,
  )
  if (!isInstalled) await run('npm', ['ci', ...NPM], folder)
}

async function pack(folder: string, destination: string): Promise<string> {
  const printed = await run('npm', ['pack', '--silent', '--pack-destination', destination], folder)
  return join(destination, printed.trim().split('\n').at(-1)!)
}

/** Needs the types of the engine, so it runs where they are installed. */
async function lint(folder: string): Promise<string[]> {
  const programs = join(PROJECT, 'node_modules/.bin')
  const options = ['--config', join(PROJECT, '.oxlintrc.json'), '--type-aware']
  // oxlint would look for tsgolint in the folder.
  const env = { OXLINT_TSGOLINT_PATH: join(programs, 'tsgolint') }
  const found = await run(join(programs, 'oxlint'), [...options, 'src'], folder, env).then(
    () => null,
    String,
  )
  return found === null ? [] : [`oxlint: ${found}`]
}

async function checkPackage(tarball: string): Promise<string[]> {
  const bytes = new Uint8Array(await readFile(tarball))
  const { messages } = await publint({ pack: { tarball: bytes.buffer }, strict: true })
  const attw = join(PROJECT, 'node_modules/@arethetypeswrong/cli/dist/index.js')
  // Medusa loads providers from "default" of a CommonJS module, which is how its own packages export them.
  const args = [attw, tarball, '--ignore-rules', 'cjs-only-exports-default']
  const types = await run(process.execPath, args, PROJECT).catch(String)
  return [
    ...messages.map(({ code }) => `publint: ${code}`),
    ...(types.includes('No problems found') ? [] : [`attw: ${types}`]),
  ]
}

const readJson = async (file: string) =>
  JSON.parse(await readFile(file, 'utf8')) as { dependencies: Record<string, string> }

const lastLine = (text: string, pattern: RegExp) =>
  text.split('\n').findLast((line) => pattern.test(line)) ?? 'no tests ran'
