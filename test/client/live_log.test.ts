// The command line against the log of a running service, which is not public: it is audited and watched with a key.
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readPolicy } from '../../shared/log/log_policy.ts'
import { writeVerifierKey } from '../../shared/log/verifier_key.ts'
import { commitBlocks } from '../domain/proofs/seed_commitment.ts'
import { TEST_MASTER_KEY } from '../support/master_key.ts'
import { commandProcess } from '../support/server_process.ts'
import { testApp } from '../support/test_app.ts'
import { type Desk, openDesk } from './run_pharos.ts'

const app = testApp()
let desk: Desk
beforeAll(async () => {
  desk = await openDesk()
  await app.finalize(3)
})
afterAll(() => desk.clear())

const run = (words: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  desk.pharos(words, { env: { PHAROS_URL: app.base, PHAROS_API_KEY: app.owner.key, ...env } })

const logKey = async (): Promise<string> => {
  const answer = await fetch(`${app.base}/log/policy`, {
    headers: { authorization: `Bearer ${app.owner.key}` },
  })
  const [log] = readPolicy(new Uint8Array(await answer.arrayBuffer())).logs
  if (log === undefined) throw new Error('The policy names no log.')
  return writeVerifierKey(log.key)
}

it('audits it, with its keyring and its epochs', async () => {
  await commitBlocks({ em: app.store.em() })
  const from = ['--from', `${app.base}/log`, '--key', await logKey()]
  const ran = await run(['audit', ...from, '--require-epochs', '--json'])
  expect(JSON.parse(ran.out)).toMatchObject({
    ...{ passed: true, blocks: 4, findings: [], keyring: true, uncovered: 0 },
    epochs: [{ folder: 'epochs/bitcoin', epochs: 1, confirmed: 1 }],
  })
})

it('watches it while it grows', async () => {
  const look = () => run(['watch', `${app.base}/log/`, '--once'])
  expect(await look()).toMatchObject({ code: 0, out: expect.stringContaining('seen for the first time') })
  await app.finalize(2)
  expect(await look()).toMatchObject({ code: 0, out: expect.stringContaining('consistent with the 4 seen') })
})

it('audits what an export writes while it follows the log, and the export ends when it is asked to', async () => {
  const folder = join(desk.folder, 'copy')
  const follower = commandProcess(['export', folder, '--follow'], {
    DATABASE_URL: app.database.url,
    MASTER_KEY: TEST_MASTER_KEY.toString('hex'),
    DATA_DIR: join(desk.folder, 'data'),
  })
  const size = async (): Promise<number> =>
    Number((await readFile(join(folder, 'checkpoint'), 'utf8').catch(() => '')).split('\n')[1] ?? 0)
  await expect.poll(size).toBeGreaterThan(0)
  const before = await size()
  await app.finalize(2)
  await expect.poll(size).toBe(before + 2)
  const ran = await run(['audit', '--from', 'copy', '--key', await logKey(), '--json'])
  expect(JSON.parse(ran.out)).toMatchObject({ passed: true, blocks: before + 2 })
  follower.kill('SIGTERM')
  expect(await follower.ended).toMatchObject({ code: 0 })
  expect(await readdir(join(folder, 'tile/0/000.p'))).toEqual([String(before + 2)])
})

it('keeps the API key from every other place', async () => {
  const elsewhere = { PHAROS_URL: 'https://pharos.example' }
  expect(await run(['watch', `${app.base}/log`, '--once'], elsewhere)).toMatchObject({
    code: 4,
    err: expect.stringContaining('PHAROS_API_KEY'),
  })
})
