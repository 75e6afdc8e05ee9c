// Bundles the command line into dist/pharos.mjs: one file without dependencies that runs on Node 20 and
// later. The file is committed, so that a checkout has it at once and anyone can rebuild and compare it: node
// server/start.js server/client/build.ts
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { build } from 'vite'

export const BUILT_FILE = join(import.meta.dirname, 'dist', 'pharos.mjs')

/** The text of the file. The same sources and packages always give the same text. */
export async function bundledText(): Promise<string> {
  const result = await build({
    root: join(import.meta.dirname, '..', '..'),
    configFile: false,
    logLevel: 'error',
    ssr: { noExternal: true },
    build: {
      ssr: join(import.meta.dirname, 'main.ts'),
      target: 'node20',
      write: false,
      // Readable on purpose, so that people can read the code that decides what is valid.
      minify: false,
      rolldownOptions: {
        output: { format: 'es', entryFileNames: 'pharos.mjs', banner: BANNER, codeSplitting: false },
      },
    },
  })
  const outputs = (Array.isArray(result) ? result : [result]).flatMap((one) =>
    'output' in one ? one.output : [],
  )
  const [chunk, ...more] = outputs
  if (chunk?.type !== 'chunk' || more.length > 0) throw new Error('The bundle is not one file.')
  return chunk.code
}

const BANNER = [
  '#!/usr/bin/env node',
  '// Pharos: fetches and verifies proofs. Runs alone on Node 20 or later: node pharos.mjs --help',
  '// Made from server/client/ and shared/ by server/client/build.ts. MIT licence.',
].join('\n')

if (process.argv[1] === import.meta.filename) {
  const text = await bundledText()
  mkdirSync(dirname(BUILT_FILE), { recursive: true })
  writeFileSync(BUILT_FILE, text)
  chmodSync(BUILT_FILE, 0o755)
  console.log(`verifier: built (${Math.round(text.length / 1024)} kB)`)
}
