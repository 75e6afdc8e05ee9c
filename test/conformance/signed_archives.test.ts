// `jarsigner` of Java has archives time-stamped here, and verifies them by the root of the authority. Where it is not
// installed, this is left out, loudly.
import { execFile, spawnSync } from 'node:child_process'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { rotateCertificate } from '../../server/domain/time_stamps/certificates.ts'
import { openTestApp } from '../support/app.ts'
import { ask, eventually } from '../support/http.ts'
import { makeTemporaryFolder } from '../support/temporary_folder.ts'
import { testApp } from '../support/test_app.ts'

const TOOLS = ['jar', 'keytool', 'jarsigner']
const areThere = TOOLS.every((tool) => spawnSync(tool, ['-help']).error === undefined)
if (!areThere) console.warn('LEFT OUT: what needs jarsigner, because it is not installed.')

const app = testApp({ aggregationIntervalMs: 100 })
let folder: string
beforeAll(async () => {
  await app.finalize()
  folder = await makeTemporaryFolder('pharos-jar-')
  const { text } = await eventually(async () => {
    const answer = await ask(app.port, '/tsa/certificates')
    return answer.status === 200 ? answer : undefined
  })
  await writeFile(join(folder, 'root.pem'), text.slice(text.lastIndexOf('-----BEGIN')))
  await writeFile(join(folder, 'data'), 'a file')
})
afterAll(() => rm(folder, { recursive: true }))

/** What it prints. */
async function run(tool: string, ...words: readonly string[]): Promise<string> {
  const options = { cwd: folder, timeout: 120_000, env: { ...process.env, LC_ALL: 'C', TZ: 'UTC' } }
  const { stdout, stderr } = await promisify(execFile)(tool, [...words], options)
  return `${stdout}${stderr}`
}

const STORE = ['-keystore', 'keys.p12', '-storepass', 'changeit']

/** Has an archive signed and verifies it. The mark of the certificate that stamped it, 8 hex. */
async function unitThatStamped(archive: string, service: string): Promise<string> {
  await run('jar', 'cf', archive, 'data')
  expect(await run('jarsigner', ...STORE, '-tsa', `${service}/tsa`, archive, 'me')).toContain('jar signed.')
  const verified = await run('jarsigner', '-verify', '-strict', '-verbose', '-certs', ...STORE, archive)
  expect(verified).toContain('jar verified.')
  expect(verified).not.toMatch(/TSA certificate chain is invalid|timestamp .* invalid/i)
  const [, mark] = /Timestamped by "CN=Pharos time-stamp unit ([0-9a-f]{8})" on /.exec(verified) ?? []
  return mark ?? expect.fail(verified)
}

describe.skipIf(!areThere)('jarsigner', { timeout: 300_000 }, () => {
  it('takes tokens of before and after a rotation, and verifies them by the root', async () => {
    await run('keytool', '-genkeypair', ...STORE, '-alias', 'me', '-dname', 'CN=me', '-keyalg', 'EC')
    await run('keytool', '-importcert', ...STORE, '-noprompt', '-alias', 'tsa', '-file', 'root.pem')
    const units = [await unitThatStamped('before.jar', app.base)]
    await rotateCertificate({ em: app.store.em(), masterKey: app.masterKey }, 'p256')
    // One that has not looked at the certificates yet.
    const other = await openTestApp({ beside: app, aggregationIntervalMs: 100 })
    try {
      units.push(await unitThatStamped('after.jar', other.base))
    } finally {
      await other.close()
    }
    expect(new Set(units).size).toBe(2)
  })
})
