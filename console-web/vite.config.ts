// How the console is bundled: hashed names, nothing inline, so that `script-src 'self'; style-src 'self'` holds.
import { join, resolve } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { chunkGroups } from './chunks.ts'

const api = process.env.CONSOLE_API ?? `http://localhost:${process.env.PORT ?? 4000}`

/** The server hands out `.js`, not `.mjs`; the page gives the verifier its own name when it is downloaded. */
const assetFileNames = ({ names }: { readonly names: readonly string[] }): string =>
  names.some((name) => name.endsWith('.mjs')) ? 'assets/verifier-[hash].js' : 'assets/[name]-[hash][extname]'

/** What the bundler puts before each import of code that is loaded later. Its own asks for a file only once. */
const bringCode: Plugin = {
  name: 'bring-code',
  enforce: 'pre',
  load: (id) =>
    id === '\0vite/preload-helper.js'
      ? `export { bringCode as __vitePreload } from '${join(import.meta.dirname, 'src/ui/load/bring_code.ts')}'`
      : null,
}

/** With the file itself, which the bundler leaves out when it is the only one. */
const needed = (file: string, names: readonly string[]): string[] => [...new Set([file, ...names])]

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), bringCode],
  build: {
    target: 'es2022',
    assetsInlineLimit: 0,
    modulePreload: {
      polyfill: false,
      resolveDependencies: (file, names, { hostType }) => (hostType === 'js' ? needed(file, names) : names),
    },
    // The largest is the page of the query editor, which is loaded with its address alone.
    chunkSizeWarningLimit: 700,
    outDir: resolve(import.meta.dirname, 'dist'),
    rolldownOptions: { output: { assetFileNames, codeSplitting: { groups: chunkGroups() } } },
  },
  worker: { format: 'es' },
  server: {
    port: 5173,
    proxy: {
      '/api': api,
      '/docs': api,
      '/health': api,
      '/.well-known': api,
      '/gql': { target: api, ws: true },
      '/socket.io': { target: api, ws: true },
    },
  },
})
