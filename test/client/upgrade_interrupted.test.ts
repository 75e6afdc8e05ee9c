// `pharos upgrade` that is killed, and two of them for one file: the file is always whole, as it was or as it is to be.
import { readdirSync, statSync } from 'node:fs'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { writeEvidence } from '../../shared/evidence/evidence.ts'
import { toHex } from '../../shared/proof/bytes.ts'
import { type AnsweringServer, openAnsweringServer } from '../support/answering_server.ts'
import { ownKeyring } from './bundles.ts'
import { folderBundle as bundle, folderReceipt, folderTree } from './folder_evidence.ts'
import { killedWhen } from './killed_when.ts'
import { type Desk, openDesk, type Ran } from './run_pharos.ts'

const ROUND = `/stamp/${toHex(folderTree.root)}`
const NAME = 'a.pharos'

let desk: Desk
let server: AnsweringServer
beforeAll(async () => {
  desk = await openDesk()
  server = await openAnsweringServer()
  await desk.put('keyring.json', ownKeyring)
})
afterAll(async () => {
  await server.close()
  await desk.clear()
})
beforeEach(async () => {
  for (const draft of drafts()) await rm(join(desk.folder, draft))
})

const upgrade = (killed?: AbortSignal): Promise<Ran> =>
  desk.pharos(['upgrade', '--keyring', 'keyring.json', NAME], killed && { killed })
const held = (): Promise<string> => readFile(join(desk.folder, NAME), 'utf8')
const drafts = (): string[] => readdirSync(desk.folder).filter((name) => name.endsWith('.new'))
/** The bytes of what is not renamed yet. Undefined when there is none. */
const drafted = (): number | undefined =>
  drafts()
    .flatMap((name) => statSync(join(desk.folder, name), { throwIfNoEntry: false })?.size ?? [])
    .at(-1)

/** So large that it is written in several pieces. */
const receipt = () => ({ ...folderReceipt(server.address), later: 'x'.repeat(3_000_000) })

describe('an upgrade', { timeout: 120_000 }, () => {
  it('that is killed at any moment, also between the writing and the renaming, leaves the file whole', async () => {
    server.answers.set(ROUND, JSON.stringify({ bundle }))
    const before = writeEvidence(receipt())
    const after = writeEvidence({ ...receipt(), bundle })
    const whole = Buffer.byteLength(after)
    let isStruckBetween = false
    // The last moment is less than a millisecond long, so it may be missed.
    for (let attempt = 0; !isStruckBetween && attempt < 30; attempt += 1)
      for (const least of [0, whole / 2, whole]) {
        for (const draft of drafts()) await rm(join(desk.folder, draft))
        await desk.put(NAME, before)
        await killedWhen(desk.folder, () => (drafted() ?? -1) >= least, upgrade)
        const text = await held()
        expect(text === before || text === after).toBe(true)
        isStruckBetween ||= text === before && drafted() === whole
      }
    expect(isStruckBetween).toBe(true)
    // Whatever the killed one has left behind is in nobody's way.
    expect(await upgrade()).toMatchObject({ code: 0 })
    expect((await held()) === after).toBe(true)
  })

  it('beside another one of the same file puts the proof in, and one of the two says that it did', async () => {
    const both = Promise.withResolvers<void>()
    const { length: earlier } = server.asked
    server.answers.set(ROUND, async (_, response) => {
      if (server.asked.length === earlier + 2) both.resolve()
      await both.promise
      response.end(JSON.stringify({ bundle }))
    })
    await desk.put(NAME, writeEvidence(receipt()))
    const ran = await Promise.all([upgrade(), upgrade()])
    expect(ran.map(({ out }) => out)).toContain(`${NAME}  has its proof now\n`)
    // The slower one finds the file changed, unless both looked at the very same moment.
    for (const { code, err } of ran)
      if (code !== 0)
        expect([code, err]).toEqual([2, expect.stringContaining('changed while it was upgraded')])
    expect((await held()) === writeEvidence({ ...receipt(), bundle })).toBe(true)
    expect(drafts()).toEqual([])
  })
})
