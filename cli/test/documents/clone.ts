import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { root } from '../demo.ts'

const LEFT_OUT = /^(node_modules|\.git|\.florin|pictures|results)$/

/**
 * A folder as somebody has it who cloned, installed and built Florin, called `florin` and with nothing
 * around it: what the pages tell to write, they write there. Only what is installed is a link.
 */
export function makeClone(): { folder: string; remove: () => void } {
  const around = mkdtempSync(join(tmpdir(), 'florin-pages-'))
  const folder = join(around, 'florin')
  cpSync(root, folder, {
    recursive: true,
    filter: (path) =>
      !relative(root, path)
        .split('/')
        .some((part) => LEFT_OUT.test(part)),
  })
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  return { folder, remove: () => rmSync(around, { recursive: true, force: true }) }
}
