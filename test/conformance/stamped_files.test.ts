// A file that is stamped without an account, from the first request to the day on which the service is gone: with what people
// have, which is one evidence file and the verifier that is one file.
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { z } from 'zod'
import { type Desk, openDesk } from '../client/run_pharos.ts'
import { commitBlocks } from '../domain/proofs/seed_commitment.ts'
import { openTestApp } from '../support/app.ts'
import { ask, eventually } from '../support/http.ts'

const TEXT = 'The text of a paper.'

const stamped = z.object({ evidence: z.tuple([z.looseObject({})]) })

const desks: Desk[] = []
afterAll(async () => {
  for (const desk of desks) await desk.clear()
})
const deskWith = async (files: Readonly<Record<string, string>>): Promise<Desk> => {
  const desk = await openDesk()
  desks.push(desk)
  for (const [name, text] of Object.entries(files)) await desk.put(name, text)
  return desk
}

it('is verified offline from a copy of its evidence file, when the service is gone', async () => {
  const app = await openTestApp({ aggregationIntervalMs: 100 })
  let copied: Desk
  try {
    await app.finalize()
    const value = createHash('sha256').update(TEXT).digest('hex')
    const answer = await ask(app.port, '/stamp', {
      body: JSON.stringify({ digests: [{ type: 'sha256', value }] }),
      headers: { 'Content-Type': 'application/json' },
    })
    const [receipt] = stamped.parse(answer.json()).evidence
    const own = await deskWith({ 'paper.txt': TEXT, 'paper.pharos': JSON.stringify(receipt) })
    expect(await own.pharos(['keyring', 'add', app.base])).toMatchObject({ code: 0 })
    const verify = () => own.pharos(['verify', 'paper.pharos', '--file', 'paper.txt', '--offline'])
    expect(await verify()).toMatchObject({ code: 3, out: expect.stringMatching(/^Not yet/m) })
    expect(await own.pharos(['upgrade', 'paper.pharos'])).toMatchObject({ code: 3 })
    await app.finalize()
    await commitBlocks({ em: app.store.em() })
    await eventually(async () =>
      (await own.pharos(['upgrade', 'paper.pharos'])).code === 0 ? true : undefined,
    )
    expect(await verify()).toMatchObject({ code: 0, out: expect.stringMatching(/^Valid$/m) })
    copied = await deskWith({
      'paper.txt': TEXT,
      'other.txt': 'Another text.',
      'copy of paper.pharos': await readFile(join(own.folder, 'paper.pharos'), 'utf8'),
    })
    expect(await copied.pharos(['keyring', 'add', app.base])).toMatchObject({ code: 0 })
  } finally {
    await app.close()
  }
  const verify = (data: string) =>
    copied.pharos(['verify', 'copy of paper.pharos', '--file', data, '--offline'])
  expect(await verify('paper.txt')).toMatchObject({ code: 0, out: expect.stringMatching(/^Valid$/m) })
  expect(await verify('other.txt')).toMatchObject({ code: 1, out: expect.stringMatching(/^Not valid$/m) })
})
