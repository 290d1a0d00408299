import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { build } from 'vite'
import { fromSource } from '../fromSource.mjs'

const pathOf = (path) => fileURLToPath(new URL(path, import.meta.url))
const outDir = pathOf('dist/public')

/**
 * The oldest supported browsers, which determine the syntax of scripts and styles. Payers use old phones: iOS 15 is the last version
 * for an iPhone 7. `src/kit/polyfills.ts` adds missing functions.
 */
const TARGETS = ['chrome111', 'edge111', 'firefox121', 'safari15.4', 'ios15.4']

/** The entry points by the names of their output files: a script for each page, and the service worker of the wallet. */
const ENTRIES = {
  start: 'src/start/main.ts',
  checkout: 'src/checkout/main.ts',
  link: 'src/checkout/link.ts',
  wallet: 'src/wallet/main.tsx',
  till: 'src/till/main.tsx',
  reference: 'src/reference/main.ts',
  operator: 'src/operator/main.tsx',
  dashboard: 'src/dashboard/main.tsx',
  walletWorker: 'src/wallet/serviceWorker.ts',
}

// Each page on its own: if they were built together, shared code would be split into a dozen small files per page.
const entries = {}
const files = new Set()
for (const [name, source] of Object.entries(ENTRIES)) {
  const { output } = await buildEntry(name, source)
  checkOrderOfStyles(output)
  entries[source] = linksOf(output)
  for (const { fileName } of output) files.add(fileName)
}
// Written last, because the service finds the files through it.
writeFileSync(join(outDir, 'manifest.json'), JSON.stringify({ entries, files: [...files] }))

function buildEntry(name, source) {
  return build({
    configFile: false,
    root: pathOf('.'),
    // Relative, so that chunks load under any path of a proxy.
    base: './',
    publicDir: false,
    resolve: { alias: fromSource },
    plugins: [react(), { name: 'compress', writeBundle: compressAll }],
    build: {
      outDir,
      // A running service may still serve the old files. Names of scripts and styles contain a hash, so none is overwritten.
      emptyOutDir: false,
      // No `data:` URLs: the content security policy allows them only for images.
      assetsInlineLimit: 0,
      target: TARGETS,
      modulePreload: false,
      chunkSizeWarningLimit: 600,
      rolldownOptions: {
        checks: { pluginTimings: false },
        // The server writes the HTML: it knows the language and links the files of the manifest.
        input: { [name]: pathOf(source) },
        // One script for everything that the page needs at first; the rest is loaded on demand.
        output: { codeSplitting: { groups: [{ name, tags: ['$initial'] }] } },
      },
    },
    logLevel: 'warn',
  })
}

/** The styles of a page override those of the kit, so they must come later. */
function checkOrderOfStyles(output) {
  for (const { moduleIds = [] } of output) {
    const styles = moduleIds.filter((id) => id.endsWith('.css'))
    const isKit = (id) => id.includes('/web/src/kit/')
    const firstOwn = styles.findIndex((id) => !isKit(id))
    const late = firstOwn === -1 ? undefined : styles.slice(firstOwn).find(isKit)
    if (late === undefined) continue
    throw new Error(
      `${late} comes after ${styles[firstOwn]}. Import it first, such as at the top of main.tsx.`,
    )
  }
}

/** The files that a page links: its script, and the styles of all modules that the script imports. */
function linksOf(output) {
  const chunks = new Map(output.map((file) => [file.fileName, file]))
  const styles = new Set()
  const seen = new Set()
  function visit(name) {
    if (seen.has(name)) return
    seen.add(name)
    const { imports, viteMetadata } = chunks.get(name)
    for (const inner of imports) visit(inner)
    for (const style of viteMetadata.importedCss) styles.add(style)
  }
  const script = output.find(({ isEntry }) => isEntry).fileName
  visit(script)
  return { script, styles: [...styles] }
}

/** Compresses the files at build time, so that the service doesn't have to. */
function compressAll(_options, bundle) {
  for (const name of Object.keys(bundle)) {
    if (!/\.(js|css|svg)$/.test(name)) continue
    const bytes = readFileSync(join(outDir, name))
    writeFileSync(join(outDir, `${name}.br`), brotliCompressSync(bytes))
    writeFileSync(join(outDir, `${name}.gz`), gzipSync(bytes, { level: 9 }))
  }
}
