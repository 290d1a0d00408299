import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { fromSource } from '../fromSource.mjs'

const pathOf = (path) => fileURLToPath(new URL(path, import.meta.url))
const outDir = pathOf('dist/public')

// The server writes the HTML: it knows the language and links the files of the manifest.
export default defineConfig({
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
    manifest: 'manifest.json',
    // The content security policy forbids inline data.
    assetsInlineLimit: 0,
    modulePreload: false,
    rolldownOptions: {
      checks: { pluginTimings: false },
      input: {
        start: pathOf('src/start/main.ts'),
        checkout: pathOf('src/checkout/main.ts'),
        link: pathOf('src/checkout/link.ts'),
        wallet: pathOf('src/wallet/main.tsx'),
        till: pathOf('src/till/main.tsx'),
        reference: pathOf('src/reference/main.ts'),
        operator: pathOf('src/operator/main.tsx'),
        dashboard: pathOf('src/dashboard/main.tsx'),
        walletWorker: pathOf('src/wallet/serviceWorker.ts'),
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
