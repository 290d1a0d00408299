import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { root } from '../demo.ts'

const LEFT_OUT = /^(node_modules|\.git|\.florin|pictures|results)$/

/**
 * Creates a copy of the built clone in a temporary folder, so that the pages can write next to it. node_modules is a
 * link.
 */
export function makeClone(): { folder: string; remove: () => void } {
  const parent = mkdtempSync(join(tmpdir(), 'florin-pages-'))
  const folder = join(parent, 'florin')
  cpSync(root, folder, {
    recursive: true,
    filter: (path) =>
      !relative(root, path)
        .split('/')
        .some((part) => LEFT_OUT.test(part)),
  })
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  return { folder, remove: () => rmSync(parent, { recursive: true, force: true }) }
}
