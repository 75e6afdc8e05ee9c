// The lines about time stamps that people paste, as they stand on the page of the authority, in the article and in README: a
// shell runs them. Where it, curl or OpenSSL is not installed, this is left out, loudly.
import { execFile, spawnSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Desk, openDesk } from '../client/run_pharos.ts'
import { commitBlocks } from '../domain/proofs/seed_commitment.ts'
import { ask, eventually } from '../support/http.ts'
import { testApp } from '../support/test_app.ts'

const ROOT = resolve(import.meta.dirname, '..', '..')

const areHere = ['bash', 'curl', 'openssl', 'awk', 'sed'].every(
  (tool) => spawnSync(tool, ['--version']).error === undefined,
)
if (!areHere) console.warn('LEFT OUT: lines to paste, because not all of the programs in them are installed.')

const app = testApp({ aggregationIntervalMs: 100 })
let desk: Desk
beforeAll(async () => {
  await app.finalize()
  desk = await openDesk()
  await eventually(async () => (await ask(app.port, '/tsa/certificates')).status === 200 || undefined)
})
afterAll(() => desk.clear())

/** What it prints. The command line of ours is at hand, as it is where it was installed. @throws when a line fails */
async function paste(lines: string): Promise<string> {
  const installed = `pharos() { '${process.execPath}' pharos.mjs "$@"; }`
  const words = ['-e', '-o', 'pipefail', '-c', `${installed}\n${lines}`]
  const env = { PATH: process.env.PATH, HOME: desk.folder, XDG_CONFIG_HOME: join(desk.folder, 'config') }
  const { stdout, stderr } = await promisify(execFile)('bash', words, { cwd: desk.folder, env })
  return `${stdout}${stderr}`
}

const commit = async (): Promise<void> => {
  await app.finalize()
  await commitBlocks({ em: app.store.em() })
}

const fileOf = async (name: string): Promise<string> => readFile(join(desk.folder, name), 'utf8')

describe.skipIf(!areHere)('lines to paste', { timeout: 120_000 }, () => {
  it('of the page get a token that OpenSSL verifies, and its evidence', async () => {
    await desk.put('paper.txt', 'a file')
    const { text } = await ask(app.port, '/tsa')
    const [certificates = '', stamp = '', others = '', evidence = ''] = [
      ...text.matchAll(/<pre[^>]*><code>([^<]*)<\/code><\/pre>/g),
    ].map(([, lines = '']) =>
      lines
        .replaceAll('FILE', 'paper.txt')
        .replaceAll('&gt;', '>')
        .replaceAll('&quot;', '"')
        .replaceAll('&#39;', "'"),
    )
    // The certificates of the tools are those of the reader: `signing_tools.test.ts` has some.
    expect(others).toMatch(/^jarsigner -tsa \S+\/tsa .*\nosslsigncode sign /)
    expect(await paste(certificates)).toMatch(/sha256 Fingerprint=([0-9A-F]{2}:){31}[0-9A-F]{2}/i)
    expect(await paste(stamp)).toContain('Verification: OK')
    await commit()
    const [read = '', fetched = ''] = evidence.split('\n')
    // Behind it stands what OpenSSL tells of itself.
    const [serial = ''] = (await paste(read)).split('\n')
    expect(serial).toMatch(/^[0-9A-F]{16}$/)
    await paste(fetched.replace('SERIAL', serial))
    expect(await fileOf('paper.txt.tsr.pharos')).toContain('"bundle"')
  })

  it('of the article lead to a token that is preserved by its evidence', async () => {
    await desk.put('report.pdf', 'another file')
    const place = 'server/domain/knowledge/articles/time-stamps.md'
    const article = (await readFile(join(ROOT, place), 'utf8')).replaceAll(
      'https://pharos.example.com',
      app.base,
    )
    const [stamp = '', evidence = '', verify = ''] = [...article.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(
      ([, lines = '']) => lines,
    )
    expect(await paste(stamp)).toContain('Verification: OK')
    await commit()
    const [service = ''] = stamp.split('\n')
    await paste(`${service}\n${evidence}`)
    const offline = `${verify.trim()} --offline`
    expect(await paste(`pharos keyring add ${app.base}\n${offline}`)).toMatch(/^Preserved$/m)
  })

  it('of README get a token that OpenSSL verifies', async () => {
    const readme = (await readFile(join(ROOT, 'README.md'), 'utf8')).replaceAll(
      'http://localhost:4000',
      app.base,
    )
    await desk.put('README.md', readme)
    const lines = [...readme.matchAll(/^ {4}(curl .*\/tsa.*|openssl ts .*)$/gm)].map(([, line]) => line)
    expect(lines).toHaveLength(4)
    expect(await paste(lines.join('\n'))).toContain('Verification: OK')
  })
})

it('what offers time stamps says that they are not qualified, and that they can be counted', async () => {
  const told = [(await ask(app.port, '/tsa')).text, (await ask(app.port, '/docs/time-stamps')).text]
  for (const text of told) {
    expect(text).toMatch(/not a qualified (trust )?service/)
    expect(text).toMatch(/Serial numbers can be counted/)
  }
})
