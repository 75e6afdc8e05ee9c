// What becomes of a stamp, as the command line tells it: how far it is, when one waits for it, and what evidence says of itself.
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { commitBlocks } from '../domain/proofs/seed_commitment.ts'
import { testApp } from '../support/test_app.ts'
import { vectorBundle, vectorKeyring } from './bundles.ts'
import { expectMembers } from './frame/json_members.ts'
import { openWay } from './heard_way.ts'
import { ATTESTED, file, STEPS } from './ots_files.ts'
import { type Desk, openDesk, type Ran } from './run_pharos.ts'

const app = testApp({ aggregationIntervalMs: 100 })
let desk: Desk
beforeEach(async () => {
  desk = await openDesk()
})
afterEach(() => desk.clear())

type Env = Readonly<Record<string, string>>
const anybody = (): Env => ({ PHAROS_URL: app.base })
const owner = (): Env => ({ PHAROS_URL: app.base, PHAROS_API_KEY: app.owner.key })
const pharos = (args: readonly string[], env = owner()): Promise<Ran> => desk.pharos(args, { env })
const commit = async (): Promise<void> => {
  await app.finalize()
  await commitBlocks({ em: app.store.em() })
}
const evidence = async (name: string) => JSON.parse(await readFile(join(desk.folder, name), 'utf8'))
const stamped = async (name: string, env = owner()): Promise<string> => {
  await desk.put(name, `in ${name}, ${Math.random()}`)
  expect((await pharos(['stamp', name], env)).code).toBe(0)
  return `${name}.pharos`
}

describe('pharos status', { timeout: 120_000 }, () => {
  it('tells of an item how far it is, from its acceptance to a public chain', async () => {
    const { item } = await evidence(await stamped('a.txt'))
    const look = () => pharos(['status', item.id])
    const accepted = await look()
    expect(accepted.code).toBe(3)
    expect(accepted.out).toMatch(/✓ stored .*- in a block +not yet\n.*- public chains +not yet/s)
    await app.finalize()
    const inBlock = await look()
    expect([inBlock.code, inBlock.out]).toEqual([3, expect.stringMatching(/✓ in a block +height \d+/)])
    await commitBlocks({ em: app.store.em() })
    const committed = await look()
    expect([committed.code, committed.out]).toEqual([
      0,
      expect.stringMatching(/✓ public chains +bitcoin regtest/),
    ])
  })

  it('tells it of evidence too, without an account where the item is of a round, and as JSON', async () => {
    const names = [await stamped('a.txt', anybody()), await stamped('b.txt')]
    const before = await pharos(['status', ...names, '--json'])
    expect([before.code, JSON.parse(before.out)]).toMatchObject([
      3,
      names.map((source) => ({ source, service: app.base, block: null, public_chains: [] })),
    ])
    await commit()
    expect(await pharos(['status', 'a.txt.pharos'], {})).toMatchObject({ code: 0 })
    const after = await pharos(['status', ...names, '--json'])
    expect(after.code).toBe(0)
    const missing = await pharos(['status', 'missing.pharos', '--json'])
    expect(JSON.parse(missing.out)).toEqual([
      { source: 'missing.pharos', exit_code: 2, error: 'There is no file missing.pharos.' },
    ])
    expectMembers(
      'status',
      [before, after, missing].map(({ out }) => JSON.parse(out)),
    )
  })

  it('takes evidence on standard input and manifests too, and refuses what names no item', async () => {
    const name = await stamped('a.txt')
    await mkdir(join(desk.folder, 'photos'))
    await writeFile(join(desk.folder, 'photos', 'a'), `a ${Math.random()}`)
    await pharos(['stamp', 'photos'])
    await commit()
    const { item } = await evidence(name)
    const told = await pharos(['status', item.id, 'photos.pharos'])
    expect([told.code, told.out]).toEqual([0, expect.stringMatching(/^photos\.pharos\n.*bitcoin regtest$/ms)])
    const input = await readFile(join(desk.folder, name))
    expect(await desk.pharos(['status', '-'], { env: owner(), input })).toMatchObject({
      code: 0,
      out: expect.stringContaining(`item ${item.id} of ${app.base}`),
    })
    await desk.put('item.json', vectorBundle('item').json)
    await desk.put('a.ots', file(`${STEPS}${ATTESTED}`))
    for (const other of ['item.json', 'a.ots'])
      expect(await pharos(['status', other])).toMatchObject({
        code: 2,
        err: expect.stringContaining('names no item'),
      })
  })

  it('says that there is no such item, or that a key is needed, and goes on behind it', async () => {
    const name = await stamped('a.txt')
    const none = await pharos(['status', '01MB78W7FGY7TZHKNWE7WA3Z57', name])
    expect([none.code, none.out]).toEqual([1, expect.stringContaining(name)])
    expect(none.err).toContain('not_found')
    expect(await pharos(['status', '01MB78W7FGY7TZHKNWE7WA3Z57'], anybody())).toMatchObject({ code: 4 })
  })
})

describe('waiting', { timeout: 120_000 }, () => {
  it('of a stamp ends as soon as the proof is in the evidence', async () => {
    await desk.put('a.txt', 'waits')
    const way = await openWay(() => app.base)
    onTestFinished(way.close)
    let asked = 0
    let early: unknown
    way.onRequest = async (moment, path) => {
      if (moment !== 'answered' || !path.includes('proof')) return
      asked += 1
      if (asked > 1) return
      early = await evidence('a.txt.pharos').catch(() => undefined)
      await commit()
    }
    const ran = await pharos(['stamp', 'a.txt', '--wait'], { ...owner(), PHAROS_URL: way.address })
    expect([ran.code, ran.out]).toEqual([0, expect.stringMatching(/^a\.txt\.pharos {2}has its proof$/m)])
    expect([asked, early]).toMatchObject([2, { name: 'a.txt' }])
    expect(early).not.toHaveProperty('bundle')
    expect(await pharos(['verify', '--offline', 'a.txt.pharos', '--file', 'a.txt'])).toMatchObject({
      code: 0,
    })
    // On another computer nothing is remembered, and it says what is to be taken along.
    const [told = ''] =
      /verify a\.txt\.pharos --offline --keyring \S+/.exec(ran.err.replaceAll("'", '')) ?? []
    const elsewhere = { XDG_CONFIG_HOME: join(desk.folder, 'elsewhere') }
    expect(await desk.pharos(told.split(' '), { env: elsewhere })).toMatchObject({ code: 0 })
    expect(await desk.pharos(told.split(' ').slice(0, -2), { env: elsewhere })).toMatchObject({
      code: 1,
      out: expect.stringMatching(/No keyring is at hand.*--keyring <its keyring file/s),
    })
  })

  it('of a stamp for a block leaves the receipt as it is, and ends with 3 when its time is over', async () => {
    await desk.put('a.txt', 'waits for a block')
    const late = await pharos(['stamp', 'a.txt', '--wait', '--until', 'block', '--timeout', '1', '--json'])
    expect([late.code, JSON.parse(late.out)]).toMatchObject([3, { stamped: [{ state: 'receipt' }] }])
    await app.finalize()
    const ran = await pharos(['stamp', 'a.txt', '--wait', '--until', 'block', '--json'])
    expect([ran.code, JSON.parse(ran.out)]).toMatchObject([
      0,
      { stamped: [{ is_new: false, state: 'block' }] },
    ])
    expect((await evidence('a.txt.pharos')).bundle).toBeUndefined()
  })

  it('of an upgrade fills every receipt, and ends with 3 when its time is over', async () => {
    const names = [await stamped('a.txt', anybody()), await stamped('b.txt')]
    expect(await pharos(['upgrade', ...names, '--wait', '--timeout', '1s'])).toMatchObject({ code: 3 })
    await commit()
    expect(await pharos(['upgrade', ...names, '--wait'])).toMatchObject({ code: 0 })
    for (const name of names) expect((await evidence(name)).bundle).toBeDefined()
  })

  it('is asked for in whole words, or not at all', async () => {
    await desk.put('a.txt', 'a')
    for (const words of [
      ['--until', 'block'],
      ['--timeout', '3'],
      ['--wait', '--timeout', 'soon'],
      ['--wait', '--until', 'tomorrow'],
      ['--wait', '-o', '-'],
    ])
      expect(await pharos(['stamp', 'a.txt', ...words]), words.join(' ')).toMatchObject({ code: 2, out: '' })
  })
})

describe('pharos info', { timeout: 120_000 }, () => {
  it('prints what evidence says of itself, names what it does not know, and says first that nothing was checked', async () => {
    const name = await stamped('a.txt', anybody())
    const document = await evidence(name)
    await desk.put('b.pharos', JSON.stringify({ ...document, colour: 'blue' }))
    const ran = await pharos(['info', 'b.pharos'], {})
    expect(ran.code).toBe(0)
    expect(ran.out).toMatch(
      /^This is what it says of itself\. Whether that is true is for "verify" to say\.\n/,
    )
    expect(ran.out).toMatch(/^ {2}kind +evidence without a proof so far$/m)
    expect(ran.out).toMatch(/^ {2}name +a\.txt$/m)
    expect(ran.out).toMatch(/^ {2}unknown members +colour$/m)
    const json = JSON.parse((await pharos(['info', 'b.pharos', '--json'], {})).out)
    expectMembers('info evidence', json)
    expect(json).toMatchObject({ item: document.item.id, digest: `sha256 ${document.digest.value}` })
  })

  it('reads .ots files, and proofs from standard input, and has members of each kind', async () => {
    const ots = file(`${STEPS}${ATTESTED}`)
    const told = await desk.pharos(['info', '-'], { input: ots })
    expect([told.code, told.out]).toEqual([0, expect.stringMatching(/attestations +Bitcoin block 1201$/m)])
    const json = async (input: string | Uint8Array) =>
      JSON.parse((await desk.pharos(['info', '-', '--json'], { input })).out)
    expectMembers('info ots', await json(ots))
    expectMembers('info bundle', await json(vectorBundle('item').json))
  })

  it('reads bundles, and manifests with their proof', async () => {
    await desk.put('item.json', vectorBundle('item').json)
    const bundle = await pharos(['info', 'item.json'], {})
    expect([bundle.code, bundle.out]).toEqual([0, expect.stringMatching(/^ {2}kind +proof bundle$/m)])
    await mkdir(join(desk.folder, 'photos'))
    for (const name of ['a', 'b'])
      await writeFile(join(desk.folder, 'photos', name), `${name} ${Math.random()}`)
    await pharos(['stamp', 'photos'])
    await commit()
    await pharos(['upgrade', 'photos.pharos'])
    const manifest = await pharos(['info', 'photos.pharos'], {})
    expectMembers('info manifest', JSON.parse((await pharos(['info', 'photos.pharos', '--json'], {})).out))
    expect(manifest.out).toMatch(/^ {2}kind +manifest with its proof$/m)
    expect(manifest.out).toMatch(/^ {2}files +2$/m)
    expect(manifest.out).toMatch(/^ {2}public chains +bitcoin regtest$/m)
  })
})

describe('pharos proof --evidence', { timeout: 120_000 }, () => {
  it('makes evidence of an item: a receipt at first, and with its proof later', async () => {
    const { item } = await evidence(await stamped('a.txt'))
    const early = await pharos(['proof', '--evidence', item.id, '-o', 'early.pharos'])
    const again = await pharos(['proof', '--evidence', item.id, '-o', 'again.pharos', '--json'])
    expect(again.code).toBe(3)
    expect(JSON.parse(again.out)).toEqual({ kind: 'evidence', file: 'again.pharos', has_proof: false })
    expectMembers('proof evidence', JSON.parse(again.out))
    expect(early).toMatchObject({ code: 3, err: expect.stringContaining('upgrade early.pharos --wait') })
    expect(await pharos(['verify', '--offline', 'early.pharos', '--file', 'a.txt'])).toMatchObject({
      code: 3,
    })
    await commit()
    expect(await pharos(['proof', '--evidence', item.id])).toMatchObject({ code: 0 })
    const whole = await pharos(['verify', '--offline', `${item.id}.pharos`, '--file', 'a.txt'])
    expect(whole).toMatchObject({ code: 0 })
    expect(await pharos(['proof', '--evidence', item.id])).toMatchObject({
      code: 2,
      err: expect.stringContaining('is not overwritten'),
    })
    expect(await pharos(['proof', 'a.txt.pharos', '-o', 'a.json'])).toMatchObject({ code: 0 })
  })

  it('makes evidence of one file of a manifest, and asks nobody', async () => {
    await mkdir(join(desk.folder, 'photos/b'), { recursive: true })
    for (const name of ['a', 'b/c.txt']) await desk.put(`photos/${name}`, `${name} ${Math.random()}`)
    await pharos(['stamp', 'photos'])
    expect(await pharos(['proof', '--evidence', 'photos.pharos', 'b/c.txt'], {})).toMatchObject({ code: 0 })
    expect(await pharos(['verify', '--offline', 'c.txt.pharos', '--file', 'photos/b/c.txt'])).toMatchObject({
      code: 3,
    })
    expect(await pharos(['proof', '--evidence', 'photos.pharos', 'nothing'], {})).toMatchObject({ code: 1 })
    expect(await pharos(['proof', '--evidence', 'photos.pharos'], {})).toMatchObject({ code: 2 })
    const ots = await pharos(['proof', '--ots', 'c.txt.pharos'])
    expect([ots.code, ots.err]).toEqual([1, expect.stringContaining('is about a tree')])
    const { item } = await evidence('c.txt.pharos')
    expect(await pharos(['proof', '--evidence', item.id])).toMatchObject({
      code: 1,
      err: expect.stringContaining('made from its manifest'),
    })
  })
})

describe('pharos verify of many', { timeout: 120_000 }, () => {
  it('judges all of them, whatever they are, and ends with the worst', async () => {
    const receipt = await stamped('a.txt')
    const whole = await stamped('b.txt')
    await commit()
    await pharos(['upgrade', whole])
    await desk.put('item.json', vectorBundle('item').json)
    await desk.put('words.txt', 'no proof')
    const changed = await evidence(receipt)
    await desk.put(
      'changed.pharos',
      JSON.stringify({ ...changed, digest: { type: 'sha256', value: '0'.repeat(64) } }),
    )
    await desk.put('keyring.json', vectorKeyring)
    expect(await pharos(['keyring', 'add', 'keyring.json'])).toMatchObject({ code: 0 })
    const verify = (...names: string[]) => pharos(['verify', '--offline', ...names], {})
    const good = await verify(whole, 'item.json')
    expect([good.code, good.out]).toEqual([
      0,
      expect.stringMatching(/^✓ b\.txt\.pharos {2}Valid\n.*✓ item\.json {2}Valid/s),
    ])
    expect(await verify(whole, receipt)).toMatchObject({
      code: 3,
      err: expect.stringContaining('1 of 2 proofs is valid'),
    })
    expect(await verify(receipt, 'words.txt', whole)).toMatchObject({ code: 2 })
    const worst = await verify('words.txt', 'changed.pharos', receipt, whole)
    expect([worst.code, worst.out]).toEqual([1, expect.stringMatching(/^✗ changed\.pharos {2}Not valid$/m)])
    const json = JSON.parse((await verify(receipt, 'words.txt', '--json')).out)
    expectMembers('verify many', json)
    expect(json).toMatchObject([
      { source: receipt, exit_code: 3, report: { verdict: 'not_yet' } },
      { source: 'words.txt', exit_code: 2, error: expect.any(String) },
    ])
  })
})
