import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { fromSource } from '../fromSource.mjs'

const here = (path) => fileURLToPath(new URL(path, import.meta.url))
const outDir = here('dist/public')

// The HTML is the server's: it knows the language, and it links what the manifest names.
export default defineConfig({
  root: here('.'),
  // Chunks find each other beside themselves, wherever a proxy puts the service.
  base: './',
  publicDir: false,
  resolve: { alias: fromSource },
  plugins: [react(), { name: 'compress', writeBundle: compressAll }],
  build: {
    outDir,
    // Somebody may be reading, or building at the same time; a file is only ever written as it was.
    emptyOutDir: false,
    manifest: 'manifest.json',
    // A picture inside a script would have to be allowed by the page's policy.
    assetsInlineLimit: 0,
    modulePreload: false,
    rolldownOptions: {
      checks: { pluginTimings: false },
      input: {
        checkout: here('src/checkout/main.ts'),
        wallet: here('src/wallet/main.tsx'),
        till: here('src/till/main.tsx'),
        dashboard: here('src/dashboard/main.tsx'),
        walletWorker: here('src/wallet/serviceWorker.ts'),
      },
    },
  },
  logLevel: 'warn',
})

/** Once here, so that the service never compresses a file itself. */
function compressAll(_options, bundle) {
  for (const name of Object.keys(bundle)) {
    if (!/\.(js|css|svg)$/.test(name)) continue
    const bytes = readFileSync(join(outDir, name))
    writeFileSync(join(outDir, `${name}.br`), brotliCompressSync(bytes))
    writeFileSync(join(outDir, `${name}.gz`), gzipSync(bytes, { level: 9 }))
  }
}
