// What takes more than a second says at a terminal how far it is, in one line that is taken away again.
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { writeEvidence } from '../../shared/evidence/evidence.ts'
import { toHex } from '../../shared/proof/bytes.ts'
import { openAnsweringServer } from '../support/answering_server.ts'
import { makeLogCopy } from '../support/log_copy.ts'
import { testApp } from '../support/test_app.ts'
import { atTerminal, hasTerminals, rewritten, type Screen, standing } from './at_terminal.ts'
import { ownKeyring } from './bundles.ts'
import {
  contentOf,
  folderBundle,
  folderManifest,
  folderReceipt,
  folderTree,
  manifestAbout,
  sha256,
} from './folder_evidence.ts'
import { type Desk, openDesk } from './run_pharos.ts'

/** By this clock more than a second passes between any two looks at it. */
const CLOCK = 'let now = 0; performance.now = () => (now += 1_500)'
const SLOWLY = {
  NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(CLOCK)}`,
  NO_COLOR: '1',
}

/** It said so, and none of it is left. */
function expectTold({ shown }: Screen, words: RegExp): void {
  const lines = rewritten(shown)
  expect(lines.join('\n'), shown).toMatch(words)
  const left = standing(shown)
  for (const line of lines) expect(left.split('\n')).not.toContain(line)
  expect(left).toMatch(/\n$/)
}

describe.skipIf(!hasTerminals)('at a terminal', { timeout: 120_000 }, () => {
  const app = testApp({ aggregationIntervalMs: 100 })
  let desk: Desk
  const put = async (path: string, content: string | Uint8Array): Promise<void> => {
    await mkdir(join(desk.folder, path, '..'), { recursive: true })
    await writeFile(join(desk.folder, path), content)
  }
  beforeAll(async () => {
    desk = await openDesk()
    await desk.put('keyring.json', ownKeyring)
  })
  afterAll(() => desk.clear())

  it('stamp says how many files it has hashed, and how much of standard input', async () => {
    const env = { ...SLOWLY, PHAROS_URL: app.base }
    for (const path of ['photos/a', 'photos/b']) await put(path, path)
    const folder = await atTerminal(desk, 'pharos stamp photos', { env })
    expectTold(folder, /^2 files {2}b$/m)
    expect([folder.code, standing(folder.shown)]).toEqual([0, expect.stringMatching(/^photos\.pharos {2}/m)])
    const input = await atTerminal(desk, 'head -c 3000000 /dev/zero | pharos stamp -', { env })
    expectTold(input, /^sha256 of standard input: 2 MiB$/m)
    expect(input.code).toBe(0)
  })

  it('verify says how far it is in a manifest, in a file, and in a folder', async () => {
    const verify = (words: string) =>
      atTerminal(desk, `pharos verify --offline --keyring keyring.json ${words}`, { env: SLOWLY })
    await desk.put('folder.pharos', folderManifest({ bundle: folderBundle }))
    expectTold(await verify('folder.pharos'), /^3 entries of folder\.pharos$/m)
    await desk.put('c.txt.pharos', writeEvidence({ ...folderReceipt(), bundle: folderBundle }))
    await desk.put('c.txt', contentOf('b/c.txt'))
    const file = await verify('c.txt.pharos --file c.txt')
    expectTold(file, /^sha256 of c\.txt: 100 %$/m)
    expect([file.code, standing(file.shown)]).toEqual([0, expect.stringMatching(/^Valid$/m)])
    const large = 'large, '.repeat(500_000)
    await put('large/file', large)
    const entry = { path: 'file', entry: { type: 'sha256', value: sha256(large) } } as const
    await desk.put('large.pharos', manifestAbout([entry]))
    const folder = await verify('--manifest large.pharos large')
    expectTold(folder, /^0\.0 GB {2}file\n(.*\n)*1 file seen, in search of new ones$/m)
    expect([folder.code, standing(folder.shown)]).toEqual([0, expect.stringMatching(/^1 file unchanged/m)])
  })

  it('audit says how many blocks it has seen', async () => {
    const copy = makeLogCopy({ size: 40, rotations: [7], epochBlocks: 10 })
    for (const [path, bytes] of copy.files) await put(`copy/${path}`, bytes)
    const ran = await atTerminal(desk, `pharos audit --from copy --key '${copy.verifierKey}'`, {
      env: SLOWLY,
    })
    expectTold(ran, /^40 of 40 blocks$/m)
    expect(ran.code, ran.shown).toBe(0)
  })

  it('upgrade says what it waits for, for as long as it does', async () => {
    const server = await openAnsweringServer()
    let isThere = false
    server.answers.set(`/stamp/${toHex(folderTree.root)}`, (_, response) => {
      const errors = [{ code: 'not_found', detail: 'In no block yet.' }]
      if (isThere) response.end(JSON.stringify({ bundle: folderBundle }))
      else response.writeHead(404, { 'retry-after': '1' }).end(JSON.stringify({ errors }))
    })
    await desk.put('receipt.pharos', writeEvidence(folderReceipt(server.address)))
    const ran = await atTerminal(desk, 'pharos upgrade --wait --keyring keyring.json receipt.pharos', {
      heard: (shown) => {
        isThere ||= shown.includes('Try again in 1 s.')
      },
    })
    await server.close()
    expectTold(ran, /^receipt\.pharos: .*Try again in 1 s\.$/m)
    expect([ran.code, standing(ran.shown)]).toEqual([
      0,
      expect.stringMatching(/^receipt\.pharos {2}has its proof now$/m),
    ])
  })
})
