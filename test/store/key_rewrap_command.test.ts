// `key rewrap` as an operator runs it, on a data folder that keeps its own master key.
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { temporaryFolder, undoAfterEach } from './embedded_support.ts'

undoAfterEach()

const ROOT = resolve(import.meta.dirname, '../..')
const run = promisify(execFile)

it('replaces the master key, and the ledger, which audit never begins, opens and agrees with the new one', {
  timeout: 240_000,
}, async () => {
  const dataDir = join(await temporaryFolder(), '.data')
  const pharos = async (...words: string[]) => {
    const env = { PATH: process.env.PATH, HOME: process.env.HOME, DATA_DIR: dataDir }
    return (await run(process.execPath, ['server/cli.ts', ...words], { cwd: ROOT, env, timeout: 120_000 }))
      .stdout
  }
  await expect(pharos('audit')).rejects.toThrow('There is no ledger in')
  await expect(readFile(join(dataDir, 'master_key'), 'utf8')).rejects.toThrow('ENOENT')
  await pharos('user', 'create', '--email', 'ada@example.com')
  expect(await pharos('audit')).toContain('The ledger agrees')
  const before = await readFile(join(dataDir, 'master_key'), 'utf8')
  const to = 'ab'.repeat(32)
  expect(await pharos('key', 'rewrap', '--to', to)).toContain(
    '2 signing keys, 1 key of the public log and 0 secrets of webhook endpoints are sealed',
  )
  expect((await readFile(join(dataDir, 'master_key'), 'utf8')).trim()).toBe(to)
  expect(before).not.toContain(to)
  expect(await pharos('audit')).toContain('The ledger agrees')
})
