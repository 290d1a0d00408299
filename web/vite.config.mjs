import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { fromSource } from '../fromSource.mjs'

const here = (path) => fileURLToPath(new URL(path, import.meta.url))
const outDir = here('dist/public')

// The server writes the HTML: it knows the language and links the files of the manifest.
export default defineConfig({
  root: here('.'),
  // Relative, so that chunks load under any path of a proxy.
  base: './',
  publicDir: false,
  resolve: { alias: fromSource },
  plugins: [react(), { name: 'compress', writeBundle: compressAll }],
  build: {
    outDir,
    // A running service may still serve the old files. Names of scripts and styles contain a hash, so none is overwritten.
    emptyOutDir: false,
    manifest: 'manifest.json',
    // The content security policy forbids inline data.
    assetsInlineLimit: 0,
    modulePreload: false,
    rolldownOptions: {
      checks: { pluginTimings: false },
      input: {
        start: here('src/start/main.ts'),
        checkout: here('src/checkout/main.ts'),
        link: here('src/checkout/link.ts'),
        wallet: here('src/wallet/main.tsx'),
        till: here('src/till/main.tsx'),
        reference: here('src/reference/main.ts'),
        operator: here('src/operator/main.tsx'),
        dashboard: here('src/dashboard/main.tsx'),
        walletWorker: here('src/wallet/serviceWorker.ts'),
      },
    },
  },
  logLevel: 'warn',
})

/** Compresses the files at build time, so that the service doesn't have to. */
function compressAll(_options, bundle) {
  for (const name of Object.keys(bundle)) {
    if (!/\.(js|css|svg)$/.test(name)) continue
    const bytes = readFileSync(join(outDir, name))
    writeFileSync(join(outDir, `${name}.br`), brotliCompressSync(bytes))
    writeFileSync(join(outDir, `${name}.gz`), gzipSync(bytes, { level: 9 }))
  }
}
