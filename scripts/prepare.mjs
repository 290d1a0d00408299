import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { withLock } from './lock.mjs'

export const root = dirname(dirname(fileURLToPath(import.meta.url)))

/**
 * TypeScript 7, which takes a quarter of the time of TypeScript 6. The package "typescript" is still version 6 for the
 * tools that need the compiler as a library, which version 7 lacks.
 */
export const compiler = 'typescript-native/bin/tsc'

/** Contains the hash of the sources that were built. */
const marker = join(root, 'dist/.built')

const outputs = [
  'shared/dist/locales.js',
  'contract/dist/refusals.js',
  'dist/server.js',
  'dist/florin.js',
  'sdk/dist/esm/index.js',
  'sdk/dist/cjs/index.js',
  'sdk/dist/cjs/package.json',
  'web/dist/public/manifest.json',
]

const sources = ['shared/src', 'contract/src', 'server/src', 'cli/src', 'sdk/src', 'web/src']

const settings = [
  'package-lock.json',
  'tsconfig.base.json',
  'tsconfig.json',
  'shared/tsconfig.json',
  'contract/tsconfig.json',
  'server/tsconfig.json',
  'cli/tsconfig.json',
  'sdk/tsconfig.json',
  'sdk/tsconfig.cjs.json',
  'web/tsconfig.json',
  'web/build.mjs',
  'fromSource.mjs',
  'vite.config.mjs',
]

/**
 * Installs and builds what is missing or outdated; an up-to-date folder takes about 0.1 seconds. Compares contents,
 * because git changes file times. `withDev` installs the development packages even if nothing needs to be built.
 */
export function prepare({ withDev = false } = {}) {
  checkNode()
  const found = readState({ withDev })
  if (found.isBuilt && found.isInstalled) return
  // Two installations or builds in one folder would delete each other's files.
  withLock(join(root, '.preparing'), () => {
    const { isBuilt, isInstalled, hash } = readState({ withDev })
    if (!isInstalled) install()
    if (!isBuilt) build(hash)
  })
}

function readState({ withDev }) {
  const hash = hashSources()
  const isBuilt = readText(marker) === hash && outputs.every((file) => existsSync(join(root, file)))
  // A folder that is already built runs without development packages.
  return { hash, isBuilt, isInstalled: hasPackages({ withDev: withDev || !isBuilt }) }
}

/** Runs a program from node_modules in the foreground; exits with its code if it fails. */
export const run = (name, args, env) => runScript(programPath(name), args, env)

function runScript(path, args, env = process.env) {
  const { status } = spawnSync(process.execPath, [path, ...args], {
    cwd: root,
    stdio: 'inherit',
    env,
  })
  if (status !== 0) process.exit(status ?? 1)
}

// The same versions as "engines" in package.json, which npm checks only while it installs.
function checkNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  const isSupported = major === 20 ? minor >= 19 : major === 22 ? minor >= 12 : major > 22
  if (isSupported) return
  fail(`Florin needs Node.js 20 (20.19 or newer), or 22.12 or newer; this is ${process.version}.`)
}

function hasPackages({ withDev }) {
  const locked = readJson('package-lock.json').packages
  // npm writes this file last, so an interrupted install has none.
  const installed = readJson('node_modules/.package-lock.json')?.packages
  if (!installed) return false
  return Object.entries(locked).every(([path, entry]) => {
    if (!path.startsWith('node_modules/') && !path.includes('/node_modules/')) return true
    if (entry.dev && !withDev) return true
    const found = installed[path]
    if (!found) return Boolean(entry.optional || entry.devOptional || entry.peer)
    return found.version === entry.version && found.integrity === entry.integrity
  })
}

function install() {
  console.error('Installing dependencies…')
  const args = ['ci', '--include=dev', '--include=optional', '--no-audit', '--no-fund']
  const { status, error, stdout, stderr } = npm([...args, '--loglevel=error'])
  if (status === 0) return
  fail(`${stdout ?? ''}${stderr ?? ''}${error?.message ?? ''}\nInstalling dependencies failed.`)
}

/** Uses the npm that runs this script, because another one on the PATH may have another version. */
export function npm(args) {
  const script = process.env.npm_execpath
  const isNpm = script !== undefined && /npm-cli\.c?js$/.test(script)
  return spawnSync(isNpm ? process.execPath : 'npm', [...(isNpm ? [script] : []), ...args], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  })
}

function build(hash) {
  console.error('Building…')
  rmSync(marker, { force: true })
  run(compiler, ['-b'])
  // Without this file, Node.js would read this folder as ES modules, like the rest of the package.
  writeFileSync(join(root, 'sdk/dist/cjs/package.json'), '{ "type": "commonjs" }\n')
  // Vitest sets NODE_ENV to test, with which Vite would bundle React for development.
  const env = { ...process.env, NODE_ENV: 'production' }
  runScript(join(root, 'web/build.mjs'), [], env)
  run('vite/bin/vite.js', ['build'], env)
  mkdirSync(dirname(marker), { recursive: true })
  writeFileSync(marker, hash)
}

function hashSources() {
  const hash = createHash('sha256')
  const files = sources.flatMap((folder) => listFiles(folder))
  for (const file of [...settings, ...files.sort()]) {
    hash.update(`${file}\0`)
    hash.update(readFileSync(join(root, file)))
  }
  return hash.digest('hex')
}

function listFiles(folder) {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`
    return entry.isDirectory() ? listFiles(path) : [path]
  })
}

export function programPath(name) {
  const path = join(root, 'node_modules', name)
  if (!existsSync(path)) fail(`${path} is missing. Delete node_modules and try again.`)
  return path
}

function readText(path) {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}

function readJson(file) {
  const text = readText(join(root, file))
  return text === undefined ? undefined : JSON.parse(text)
}

function fail(message) {
  console.error(message.trim())
  process.exit(1)
}
