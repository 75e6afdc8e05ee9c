// The verifier is small enough to be sent to every page that wants one.
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build } from 'vite'
import { expect, it } from 'vitest'

it('reading, verification, hashes and Ed25519 take at most 40 KB, minified and compressed', async () => {
  const built = await build({
    configFile: false,
    logLevel: 'silent',
    build: {
      write: false,
      minify: true,
      lib: { entry: join(import.meta.dirname, 'verifier_entry.ts'), formats: ['es'], fileName: 'verifier' },
    },
  })
  const outputs = Array.isArray(built) ? built : [built]
  const chunks = outputs.flatMap((output) => ('output' in output ? output.output : []))
  const code = chunks.map((chunk) => ('code' in chunk ? chunk.code : '')).join('')
  expect(code).toContain('not_a_json_object')
  expect(code).not.toMatch(/from\s*["']/) // nothing is left to be loaded
  expect(gzipSync(code).length).toBeLessThanOrEqual(40 * 1024)
})
