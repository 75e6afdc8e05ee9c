// The first minutes of README, line by line as they are printed there, on a copy of the file that they are about.
import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { commitBlocks } from '../../domain/proofs/seed_commitment.ts'
import { testApp } from '../../support/test_app.ts'
import { type Desk, openDesk } from '../run_pharos.ts'
import { atUsualAddress } from '../usual_address.ts'

const app = testApp({ aggregationIntervalMs: 100 })
let desk: Desk
beforeEach(async () => {
  desk = await openDesk()
})
afterEach(() => desk.clear())

it.each([
  ['without a key', () => ({ PHAROS_URL: app.base })],
  // Neither is the address: the service is where all that is printed expects it.
  ['with a key and nothing else', () => ({ ...atUsualAddress(app.base), PHAROS_API_KEY: app.owner.key })],
])('lead from a file to its proof %s', { timeout: 120_000 }, async (_, env) => {
  const readme = await readFile(resolve(import.meta.dirname, '..', '..', '..', 'README.md'), 'utf8')
  await desk.put('README.md', readme)
  const lines = [...readme.matchAll(/^ {4}npx --no pharos (stamp|upgrade|verify) (.*?)(?: *#.*)?$/gm)]
  expect(lines.map(([, name]) => name)).toEqual(['stamp', 'upgrade', 'verify'])
  for (const [line, name = '', words = ''] of lines) {
    // What the second line would wait for.
    if (name === 'upgrade') await app.finalize()
    if (name === 'upgrade') await commitBlocks({ em: app.store.em() })
    const offline = name === 'verify' ? ['--offline'] : []
    const ran = await desk.pharos([name, ...words.split(' '), ...offline], { env: env() })
    expect(ran.code, `${line}\n${ran.out}${ran.err}`).toBe(0)
  }
  expect(await readFile(join(desk.folder, 'README.md.pharos'), 'utf8')).toContain('"bundle"')
})
