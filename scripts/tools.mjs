import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

/** Programs that the tests need, their usual paths and their Debian packages. */
const BROWSER = {
  name: 'Chromium',
  purpose: 'The pages are tested in Chromium',
  // Includes fonts for Arabic and Chinese, for the screenshots.
  packages: ['chromium', 'fonts-noto-core', 'fonts-droid-fallback'],
  isThere: () => existsSync('/usr/bin/chromium'),
  otherwise: 'or name one that you have: CHROMIUM_PATH=/path/to/chromium npm test',
}

const LANGUAGES = [
  ['curl', 'curl'],
  ['python3', 'python3'],
  ['php', 'php-cli'],
].map(([program, debianPackage]) => ({
  name: program,
  purpose: `The examples of the API reference are run, some of them by ${program}`,
  packages: [debianPackage],
  isThere: () => spawnSync(program, ['--version']).status === 0,
  otherwise: 'or otherwise, so that it is on the path',
}))

const CLUSTER = [
  ['PostgreSQL 15', '/usr/lib/postgresql/15/bin/postgres', 'postgresql-15'],
  ['Patroni', '/usr/bin/patroni', 'patroni', 'python3-etcd'],
  ['etcd', '/usr/bin/etcd', 'etcd-server'],
  ['HAProxy', '/usr/sbin/haproxy', 'haproxy'],
  ['ip', '/usr/sbin/ip', 'iproute2'],
  ['OpenSSL', '/usr/bin/openssl', 'openssl'],
  ['curl', '/usr/bin/curl', 'curl'],
].map(([name, path, ...packages]) => ({
  name,
  purpose: `The cluster is a real one, with ${name}`,
  packages,
  isThere: () => existsSync(path),
  otherwise: 'as root, on Debian 12',
}))

/** Returns the path of Chromium: CHROMIUM_PATH, or Debian's, installed if possible. */
export function findBrowser() {
  const named = process.env.CHROMIUM_PATH
  if (named) return existsSync(named) ? named : fail(`CHROMIUM_PATH: there is no ${named}`)
  provide(BROWSER)
  return '/usr/bin/chromium'
}

/** Installs the languages of the reference examples if possible. */
export function findLanguages() {
  for (const language of LANGUAGES) provide(language)
}

/** The programs of a test cluster: servers and network namespaces. */
export function findCluster() {
  if (process.platform !== 'linux' || process.getuid() !== 0) {
    fail(`The cluster's machines are network namespaces of this one, with servers that run as users of their own.
That takes Linux and root: sudo npm run test:cluster, or a virtual machine with Debian 12.`)
  }
  for (const part of CLUSTER) provide(part)
  const { status, stderr } = spawnSync('unshare', ['--net', '--mount', 'true'], {
    encoding: 'utf8',
  })
  if (status !== 0) {
    fail(`The cluster's machines are network namespaces, and none can be made here:
${stderr}In a container, start it with --privileged.`)
  }
}

function provide({ name, purpose, packages, isThere, otherwise }) {
  if (isThere()) return
  const help = `${purpose}, and it is not here.
Install it (Debian, Ubuntu: apt-get install ${packages.join(' ')}),
${otherwise}.`
  const mayInstall = process.getuid?.() === 0 && spawnSync('apt-get', ['--version']).status === 0
  if (!mayInstall) fail(help)
  console.error(`Installing ${name}…`)
  for (const args of [['update'], ['install', '-y', '--no-install-recommends', ...packages]]) {
    const { status, stdout, stderr } = spawnSync('apt-get', args, {
      encoding: 'utf8',
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    })
    if (status !== 0) fail(`${stdout}${stderr}\n${help}`)
  }
  if (!isThere()) fail(help)
}

function fail(message) {
  console.error(message)
  process.exit(1)
}
