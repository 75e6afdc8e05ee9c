// The first minutes of README, line by line as they are printed there, on a copy of the file that they are about.
import { execFile, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { commitBlocks } from '../../domain/proofs/seed_commitment.ts'
import { testApp } from '../../support/test_app.ts'
import { type Desk, openDesk } from '../run_pharos.ts'
import { atUsualAddress } from '../usual_address.ts'

const app = testApp({ aggregationIntervalMs: 100 })
let desk: Desk
let readme: string
beforeEach(async () => {
  desk = await openDesk()
  readme = await readFile(resolve(import.meta.dirname, '..', '..', '..', 'README.md'), 'utf8')
  await desk.put('README.md', readme)
})
afterEach(() => desk.clear())

it.each([
  ['without a key', () => ({ PHAROS_URL: app.base })],
  // Neither is the address: the service is where all that is printed expects it.
  ['with a key and nothing else', () => ({ ...atUsualAddress(app.base), PHAROS_API_KEY: app.owner.key })],
])('lead from a file to its proof %s', { timeout: 120_000 }, async (_, env) => {
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

const hasCurl = spawnSync('curl', ['--version']).status === 0

it.skipIf(!hasCurl)('show what any program sends, and what it gets', async () => {
  const [line = ''] = /^ {4}curl \S+ \S+\/stamp .*\\\n.*$/m.exec(readme) ?? []
  const command = line.replace('http://localhost:4000', app.base)
  const { stdout } = await promisify(execFile)('sh', ['-c', command], { cwd: desk.folder })
  const value = createHash('sha256').update(readme).digest('hex')
  expect(JSON.parse(stdout)).toMatchObject({ evidence: [{ digest: { type: 'sha256', value } }] })
})
