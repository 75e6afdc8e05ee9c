// A client made from the served document by a generator compiles, and does against the service what its types say.
import { execFile } from 'node:child_process'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ask } from '../support/http.ts'
import { testApp } from '../support/test_app.ts'

const run = promisify(execFile)
const root = resolve(import.meta.dirname, '..', '..')
const binary = (name: string): string => join(root, 'node_modules', '.bin', name)
const client = join(import.meta.dirname, 'typescript_client')
const generated = join(client, 'generated')

const app = testApp()
beforeAll(async () => {
  await app.finalize(1)
  await mkdir(generated, { recursive: true })
  await writeFile(join(generated, 'openapi.json'), (await ask(app.port, '/api/json/open_api')).text)
})
afterAll(async () => {
  await rm(generated, { recursive: true, force: true })
})

describe('a generated TypeScript client', () => {
  it('is made without a word of complaint, and compiles with the program that uses it', async () => {
    const made = await run(process.execPath, [
      binary('oazapfts'),
      join(generated, 'openapi.json'),
      join(generated, 'client.ts'),
    ])
    expect([made.stdout, made.stderr].join('').trim()).toBe('')
    const compiled = await run(binary('tsc'), ['-p', client]).catch((error: { stdout?: string }) => error)
    expect(compiled.stdout).toBe('')
  })

  it('makes, finds, proves and is refused as its types say', async () => {
    const { stdout } = await run(process.execPath, [join(client, 'use.ts'), app.base, app.owner.key])
    const told: Record<string, unknown> = JSON.parse(stdout)
    const made = told.made as { id: string }
    expect(told).toEqual({
      made: { id: expect.stringMatching(/^[0-9A-Z]{26}$/), state: 'created', tags: ['typed'] },
      refused: [['invalid_body', '/data/attributes/colour'], expect.anything()],
      listed: {
        rows: [[made.id, { state: 'created' }]],
        total: 1,
        next: null,
        included: ['ada@example.com'],
      },
      none: [],
      batch: ['made', expect.arrayContaining([expect.any(String)])],
      beacon: [64, 304],
      hashed: ['sha256', 'ba7816bf'],
      proof: ['no_external_commitments'],
      gone: ['not_found'],
      stranger: ['unauthorized'],
    })
  })
})
