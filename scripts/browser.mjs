import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

const USUAL = '/usr/bin/chromium'
// With letters for Arabic and Chinese, or the pictures would show boxes.
const PACKAGES = ['chromium', 'fonts-noto-core', 'fonts-droid-fallback']

const HELP = `The pages are tested in Chromium, and there is none at ${USUAL}.
Install it (Debian, Ubuntu: apt-get install ${PACKAGES.join(' ')}),
or name one that you have: CHROMIUM_PATH=/path/to/chromium npm test`

/** The path of a Chromium: the one that is named, else Debian's, which is installed where we may. */
export function findBrowser() {
  const named = process.env.CHROMIUM_PATH
  if (named) return existsSync(named) ? named : fail(`CHROMIUM_PATH: there is no ${named}`)
  if (existsSync(USUAL)) return USUAL
  const mayInstall = process.getuid?.() === 0 && spawnSync('apt-get', ['--version']).status === 0
  if (!mayInstall) fail(HELP)
  console.error('Installing Chromium…')
  for (const args of [['update'], ['install', '-y', '--no-install-recommends', ...PACKAGES]]) {
    const { status, stdout, stderr } = spawnSync('apt-get', args, {
      encoding: 'utf8',
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    })
    if (status !== 0) fail(`${stdout}${stderr}\n${HELP}`)
  }
  return existsSync(USUAL) ? USUAL : fail(HELP)
}

function fail(message) {
  console.error(message)
  process.exit(1)
}
