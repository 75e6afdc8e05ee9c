// The command line against the log of a running service, which is not public: it is audited and watched with a key.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readPolicy } from '../../shared/log/log_policy.ts'
import { writeVerifierKey } from '../../shared/log/verifier_key.ts'
import { openTestApp, type TestApp } from '../support/app.ts'
import { type Desk, openDesk } from './run_pharos.ts'

let app: TestApp
let desk: Desk
beforeAll(async () => {
  ;[app, desk] = await Promise.all([openTestApp(), openDesk()])
  await app.finalize(3)
})
afterAll(async () => {
  await app.close()
  await desk.clear()
})

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

it('audits it', async () => {
  const ran = await run(['audit', '--from', `${app.base}/log`, '--key', await logKey(), '--json'])
  expect(JSON.parse(ran.out)).toMatchObject({ passed: true, blocks: 4, findings: [] })
})

it('watches it while it grows', async () => {
  const look = () => run(['watch', `${app.base}/log/`, '--once'])
  expect(await look()).toMatchObject({ code: 0, out: expect.stringContaining('seen for the first time') })
  await app.finalize(2)
  expect(await look()).toMatchObject({ code: 0, out: expect.stringContaining('consistent with the 4 seen') })
})

it('keeps the API key from every other place', async () => {
  const elsewhere = { PHAROS_URL: 'https://pharos.example' }
  expect(await run(['watch', `${app.base}/log`, '--once'], elsewhere)).toMatchObject({
    code: 2,
    err: expect.stringContaining('PHAROS_API_KEY'),
  })
})
