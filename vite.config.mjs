import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'
import { fromSource } from './fromSource.mjs'

const pathOf = (path) => fileURLToPath(new URL(path, import.meta.url))
const outDir = pathOf('dist')

// Bundles the service and the florin command, because Node.js takes a second to load a thousand modules
// (docs/decisions/016-bundled-programs.md). Run them with --enable-source-maps, so that stack traces name the sources.
export default defineConfig({
  root: pathOf('.'),
  publicDir: false,
  resolve: { alias: fromSource },
  plugins: [
    {
      name: 'keep-paths',
      transform: { filter: { id: /\/src\/.*\.ts$/, code: 'import.meta.url' }, handler: keepPaths },
    },
  ],
  ssr: {
    noExternal: true,
    // The first has a binary. The second depends on the order in which its modules run.
    external: ['@node-rs/argon2', '@simplewebauthn/server'],
  },
  build: {
    ssr: true,
    outDir,
    target: 'node20',
    sourcemap: true,
    rolldownOptions: {
      checks: { pluginTimings: false },
      input: { server: pathOf('server/src/main.ts'), florin: pathOf('cli/src/main.ts') },
      output: { chunkFileNames: '[name]-[hash].js', sourcemapExcludeSources: true },
    },
  },
  logLevel: 'warn',
})

/** Paths to other files stay relative to the source file. All bundled files are directly in `dist`. */
function keepPaths(code, id) {
  const source = `new URL(${JSON.stringify(relative(outDir, id))}, import.meta.url).href`
  return { code: code.replaceAll('import.meta.url', source), map: null }
}
