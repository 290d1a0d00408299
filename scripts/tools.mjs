import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'

/** Prefers the headless shell, which opens pages faster. */
const BROWSERS = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium']

/** A program that the tests need, and its Debian packages. The others below have the same fields. */
const BROWSER = {
  name: 'Chromium',
  purpose: 'The page tests and the screenshots need Chromium',
  packages: ['chromium-headless-shell'],
  isInstalled: () => BROWSERS.some((path) => existsSync(path)),
  otherwise: 'or set the path of an installed one: export CHROMIUM_PATH=/path/to/chromium',
}

/** The page tests check what fits on a screen, which depends on the font. Droid Sans Fallback has the Chinese characters. */
const FONTS = {
  name: 'fonts',
  purpose: 'The page tests and the screenshots need the fonts Noto Sans and Droid Sans Fallback',
  packages: ['fontconfig', 'fonts-noto-core', 'fonts-droid-fallback'],
  isInstalled: () =>
    process.platform !== 'linux' || ['Noto Sans', 'Droid Sans Fallback'].every(hasFont),
  otherwise: 'or in another way, so that fc-list lists them',
}

const hasFont = (family) =>
  spawnSync('fc-list', [`:family=${family}`])
    .stdout?.toString()
    .trim().length > 0

const LANGUAGES = [
  ['curl', 'curl'],
  ['python3', 'python3'],
  ['php', 'php-cli'],
].map(([program, debianPackage]) => ({
  name: program,
  purpose: `The examples of the API reference need ${program}`,
  packages: [debianPackage],
  isInstalled: () => spawnSync(program, ['--version']).status === 0,
  otherwise: 'or in another way, so that it is on the PATH',
}))

const PHP_CURL = {
  name: 'curl for PHP',
  purpose: 'The PHP client needs ext-curl',
  packages: ['php-curl'],
  isInstalled: () =>
    spawnSync('php', ['-r', 'exit(extension_loaded("curl") ? 0 : 1);']).status === 0,
  otherwise: 'or enable it in php.ini',
}

/** The modules that pack the Python client. Debian has them in separate packages. */
const WHEELS = {
  name: 'Python packages',
  purpose: 'Packing the Python client needs venv, setuptools and wheel',
  packages: ['python3-venv', 'python3-setuptools-whl', 'python3-wheel-whl'],
  isInstalled: () =>
    spawnSync('python3', ['-c', 'import ensurepip, venv']).status === 0 &&
    (!existsSync('/etc/debian_version') || (hasWheel('setuptools') && hasWheel('wheel'))),
  otherwise: 'or in another way',
}

const CLIENT_CHECKERS = [
  ['mypy', 'mypy'],
  ['composer', 'composer'],
  ['phpcs', 'php-codesniffer'],
].map(([program, debianPackage]) => ({
  name: program,
  purpose: `The checks of the clients need ${program}`,
  packages: [debianPackage],
  isInstalled: () => spawnSync(program, ['--version']).status === 0,
  otherwise: 'or in another way, so that it is on the PATH',
}))

function hasWheel(name) {
  const folder = '/usr/share/python-wheels'
  return existsSync(folder) && readdirSync(folder).some((file) => file.startsWith(`${name}-`))
}

const PDF = {
  name: 'pdftoppm',
  purpose: 'The tests of printed pages need pdftoppm',
  packages: ['poppler-utils'],
  isInstalled: () => spawnSync('pdftoppm', ['-v']).error === undefined,
  otherwise: 'or in another way, so that it is on the PATH',
}

const CLUSTER = [
  ['PostgreSQL 15', '/usr/lib/postgresql/15/bin/postgres', 'postgresql-15'],
  ['Patroni', '/usr/bin/patroni', 'patroni', 'python3-etcd'],
  // Patroni uses it for TLS on machines that have pyOpenSSL.
  ['idna', '/usr/lib/python3/dist-packages/idna', 'python3-idna'],
  ['etcd', '/usr/bin/etcd', 'etcd-server'],
  ['HAProxy', '/usr/sbin/haproxy', 'haproxy'],
  ['ip', '/usr/sbin/ip', 'iproute2'],
  ['OpenSSL', '/usr/bin/openssl', 'openssl'],
  ['curl', '/usr/bin/curl', 'curl'],
].map(([name, path, ...packages]) => ({
  name,
  purpose: `The test cluster needs ${name}`,
  packages,
  isInstalled: () => existsSync(path),
  otherwise: 'as root, on Debian 12',
}))

/** Returns the path of Chromium: CHROMIUM_PATH, or Debian's. Installs Chromium and the fonts if they are missing. */
export function findBrowser() {
  install(FONTS)
  const named = process.env.CHROMIUM_PATH
  if (named)
    return existsSync(named)
      ? named
      : fail(`CHROMIUM_PATH: ${named} does not exist. Check the path.`)
  install(BROWSER)
  return BROWSERS.find((path) => existsSync(path))
}

/** Installs the languages of the reference examples and of the clients, and pdftoppm. */
export function installPrograms() {
  for (const program of [...LANGUAGES, PHP_CURL, PDF]) install(program)
}

/** Installs the languages of the clients, and the programs that check and pack them. */
export function installClientTools() {
  for (const program of [...LANGUAGES, PHP_CURL, WHEELS, ...CLIENT_CHECKERS]) install(program)
}

/** Installs the servers of a test cluster, and checks that network namespaces can be created. */
export function installClusterPrograms() {
  if (process.platform !== 'linux' || process.getuid() !== 0) {
    fail(`The test cluster uses network namespaces, and its servers run as their own users.
This needs Linux and root: sudo npm run test:cluster, or a virtual machine with Debian 12.`)
  }
  for (const part of CLUSTER) install(part)
  const { status, stderr } = spawnSync('unshare', ['--net', '--mount', 'true'], {
    encoding: 'utf8',
  })
  if (status !== 0) {
    fail(`The test cluster uses network namespaces, and none can be created here:
${stderr}If this is a container, start it with --privileged.`)
  }
}

/** Installs missing packages with apt-get as root. Otherwise exits with instructions. */
function install({ name, purpose, packages, isInstalled, otherwise }) {
  if (isInstalled()) return
  const help = `${purpose}. Install what is missing
(Debian, Ubuntu: apt-get install ${packages.join(' ')}),
${otherwise}.`
  const canInstall = process.getuid?.() === 0 && spawnSync('apt-get', ['--version']).status === 0
  if (!canInstall) fail(help)
  console.error(`Installing ${name}…`)
  for (const args of [['update'], ['install', '-y', '--no-install-recommends', ...packages]]) {
    const { status, stdout, stderr } = spawnSync('apt-get', args, {
      encoding: 'utf8',
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    })
    if (status !== 0) fail(`${stdout}${stderr}\n${help}`)
  }
  if (!isInstalled()) fail(help)
}

function fail(message) {
  console.error(message)
  process.exit(1)
}
