// `key rewrap` as an operator runs it.
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { newUuid7 } from '../../server/kernel/identifiers.ts'
import { masterKey } from '../../server/kernel/sealed.ts'
import { keyInForce } from '../../server/store/seal.ts'
import { openTestLedger } from '../support/ledger.ts'
import { TEST_MASTER_KEY } from '../support/master_key.ts'
import { rows } from '../support/rows.ts'
import { runCommand } from '../support/server_process.ts'
import { afterwards, startedFolder, temporaryFolder, undoAfterEach } from './embedded_support.ts'

undoAfterEach()

it('replaces the master key, and the ledger, which audit never begins, opens and agrees with the new one', {
  timeout: 240_000,
}, async () => {
  const folder = await temporaryFolder()
  const nothing = join(folder, 'nothing')
  expect(await runCommand(['audit'], { DATA_DIR: nothing })).toEqual({
    code: 1,
    said: expect.stringContaining('There is no ledger in'),
  })
  await expect(readFile(join(nothing, 'master_key'), 'utf8')).rejects.toThrow('ENOENT')
  const dataDir = await startedFolder(join(folder, '.data'))
  const pharos = async (...words: string[]) => {
    const { code, said } = await runCommand(words, { DATA_DIR: dataDir })
    expect(code, said).toBe(0)
    return said
  }
  await pharos('user', 'create', '--email', 'ada@example.com')
  const before = await readFile(join(dataDir, 'master_key'), 'utf8')
  const to = 'ab'.repeat(32)
  const file = join(folder, 'next_key')
  await writeFile(file, `${to}\n`)
  expect(await pharos('key', 'rewrap', '--master-key-file', file)).toMatch(
    /: 2 values of signing_keys, 1 value of log_keys, 0 values of webhook_endpoints, 0 values of time_stamp_certificates\.\n.*Restart the server now/,
  )
  expect((await readFile(join(dataDir, 'master_key'), 'utf8')).trim()).toBe(to)
  expect(before).not.toContain(to)
  expect(await pharos('key', 'rewrap', '--master-key-file', file)).toMatch(
    /was in force already, and nothing was changed/,
  )
  expect(await pharos('audit')).toContain('The ledger agrees')
})

it('names what does not open and changes nothing, and goes on past that when told to', {
  timeout: 240_000,
}, async () => {
  const { database, store, userId, close } = await openTestLedger()
  afterwards(close)
  const id = newUuid7()
  await rows(
    store.em(),
    `INSERT INTO webhook_endpoints (id, user_id, url, resource_type, events, auth_type, enabled, sealed_auth_secret)
     VALUES ($1, $2, 'https://hooks.example.com/x', 'item', '{item.created}', 'bearer', true, 'sealed elsewhere')`,
    [id, userId],
  )
  const folder = await temporaryFolder()
  const settings = {
    DATABASE_URL: database.url,
    MASTER_KEY: TEST_MASTER_KEY.toString('hex'),
    DATA_DIR: join(folder, 'data'),
  }
  const to = 'ab'.repeat(32)
  const file = join(folder, 'next_key')
  await writeFile(file, to)
  const rewrap = ['key', 'rewrap', '--master-key-file', file]
  const inForce = () => keyInForce(store.em())
  const refused = await runCommand(rewrap, settings)
  expect(refused).toMatchObject({
    code: 1,
    said: expect.stringContaining(`webhook_endpoints ${id}: sealed_auth_secret`),
  })
  expect(refused.said).toMatch(/1 sealed value does not open.*Nothing was changed\.[\s\S]*--leave-unopened/)
  expect(await inForce()).toBe(masterKey(TEST_MASTER_KEY).fingerprint)
  const told = await runCommand(
    ['key', 'rewrap', '--master-key-file', '-', '--leave-unopened'],
    settings,
    `${to}\n`,
  )
  expect(told).toMatchObject({
    code: 0,
    said: expect.stringContaining(`webhook_endpoints ${id}: sealed_auth_secret`),
  })
  expect(told.said).toMatch(/Restart every server with MASTER_KEY set to it now/)
  expect(await inForce()).toBe(masterKey(Buffer.from(to, 'hex')).fingerprint)
})
