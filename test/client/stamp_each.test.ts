// `pharos stamp` of several files with an item each: what has its evidence is not made again, every team gets its own, and
// a file that has no place for its evidence keeps none of the others from being stamped.
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { testApp } from '../support/test_app.ts'
import { openWay } from './heard_way.ts'
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
const stamp = (args: readonly string[], env: Env = owner()): Promise<Ran> =>
  desk.pharos(['stamp', ...args], { env })
const verify = (args: readonly string[]): Promise<Ran> => desk.pharos(['verify', '--offline', ...args])
const evidence = async (name: string) => JSON.parse(await readFile(join(desk.folder, name), 'utf8'))
const items = async (): Promise<number> => (await app.query('SELECT id FROM items')).length
const parts = async (): Promise<string[]> =>
  (await readdir(desk.folder, { recursive: true })).filter((name) => /\.part$|\.new$/.test(name))

/** Puts as many files into the folder. */
async function fill(folder: string, count: number, prefix = ''): Promise<void> {
  await mkdir(join(desk.folder, folder), { recursive: true })
  await Promise.all(
    Array.from({ length: count }, (_, n) =>
      writeFile(join(desk.folder, folder, `${prefix}${n}.txt`), `${folder}/${prefix}${n} of ${desk.folder}`),
    ),
  )
}

describe('an item each', { timeout: 120_000 }, () => {
  it('is made of the new files alone, where the others have their evidence', async () => {
    for (const name of ['a', 'b', 'c']) await desk.put(name, `${name}, mixed`)
    const before = await items()
    expect(await stamp(['a'])).toMatchObject({ code: 0 })
    const { item } = await evidence('a.pharos')
    expect(await stamp(['a', 'b'])).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^a\.pharos {2}is there already.*\nb\.pharos {2}the receipt of/),
    })
    expect(await items()).toBe(before + 2)
    await mkdir(join(desk.folder, 'dist'))
    await fill('dist', 3)
    expect(await stamp(['--each', 'dist'])).toMatchObject({ code: 0 })
    await fill('dist', 1, 'a new one ')
    expect(await stamp(['--each', 'dist'])).toMatchObject({ code: 0 })
    expect(await items()).toBe(before + 6)
    expect((await evidence('a.pharos')).item).toEqual(item)
    expect(await parts()).toEqual([])
  })

  it.each<[string, () => Env]>([
    ['an account', owner],
    ['nobody', anybody],
  ])('goes beyond one request, for %s', async (_, env) => {
    await fill('many', 300)
    expect(await stamp(['many', '--each'], env())).toMatchObject({ code: 0 })
    for (const name of ['many/0.txt', 'many/299.txt', 'many/99.txt'])
      expect(await verify([`${name}.pharos`, '--file', name])).toMatchObject({ code: 3 })
    const before = await items()
    expect(await stamp(['many', '--each'], env())).toMatchObject({ code: 0 })
    expect(await items()).toBe(before)
    expect(await readdir(join(desk.folder, 'many'))).toHaveLength(600)
  })

  it('is made of a file once, however often it is named', async () => {
    await desk.put('a', 'twice')
    const before = await items()
    expect(await stamp(['a', './a', `${desk.folder}/a`])).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^a\.pharos .*\n$/),
    })
    const hex = 'ab'.repeat(32)
    expect(
      await stamp(['--hash', hex, '--hash', hex.toUpperCase(), '--hash', 'cd'.repeat(32)]),
    ).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^ab.*\ncd.*\n$/),
    })
    await desk.put('b', 'twice in a list')
    await desk.put('list', 'b\n./b\n')
    expect(await stamp(['--from', 'list', '-o', 'out/'])).toMatchObject({ code: 0 })
    expect(await items()).toBe(before + 4)
    const other = await stamp(['--hash', hex, '--hash', `${hex}:sha3_256`])
    expect([other.code, other.err]).toEqual([2, expect.stringContaining('would be called')])
    expect(await items()).toBe(before + 4)
  })

  it('is made for each team, also after the usual one has changed', async () => {
    await desk.put('a', 'of two teams')
    const team = await app.team(app.owner)
    const before = await items()
    const inTeam = (place: string): Promise<Ran> => stamp(['a', '-o', place, '--tenant', team])
    expect(await stamp(['a', '-o', '1.pharos'])).toMatchObject({ code: 0 })
    expect(await inTeam('2.pharos')).toMatchObject({ code: 0 })
    expect(await items()).toBe(before + 2)
    await rm(join(desk.folder, '2.pharos'))
    expect(await inTeam('2.pharos')).toMatchObject({ code: 0 })
    expect(await items()).toBe(before + 2)
    await app.query('UPDATE users SET default_team_id = $1 WHERE id = $2', [team, app.owner.userId])
    for (const _ of ['made', 'repeated']) {
      expect(await stamp(['a', '-o', '3.pharos'])).toMatchObject({ code: 0 })
      expect(await items()).toBe(before + 3)
      await rm(join(desk.folder, '3.pharos'))
    }
    await app.query('UPDATE users SET default_team_id = NULL WHERE id = $1', [app.owner.userId])
    const ids = await Promise.all(
      ['1.pharos', '2.pharos'].map(async (place) => (await evidence(place)).item.id),
    )
    expect(
      await app.query('SELECT id FROM items WHERE team_id = $1 AND id = ANY($2::text[])', [team, ids]),
    ).toEqual([{ id: ids[1] }])
  })

  it('that is gone is said to be gone, and not asked for as something unknown', async () => {
    await desk.put('a', 'to be deleted')
    await desk.put('b', 'to be deleted too')
    for (const names of [['a'], ['a', 'b']]) {
      expect(await stamp([...names, '--name', names.join()])).toMatchObject({ code: 0 })
      for (const name of names) {
        await app.query('DELETE FROM items WHERE id = $1', [(await evidence(`${name}.pharos`)).item.id])
        await rm(join(desk.folder, `${name}.pharos`))
      }
      expect(await stamp([...names, '--name', names.join()])).toMatchObject({
        code: 1,
        err: expect.stringMatching(/within a day is not there any more[\s\S]*Under another --name/),
      })
      expect(await stamp([...names, '--name', `${names.join()} again`])).toMatchObject({ code: 0 })
      for (const name of names) await rm(join(desk.folder, `${name}.pharos`))
    }
  })
})

describe('a place for the evidence', { timeout: 120_000 }, () => {
  it.each<[string, () => Env]>([
    ['an account', owner],
    ['nobody', anybody],
  ])(
    'is found for names as long as names can be with it, and other names are told, for %s',
    async (_, env) => {
      const fits = ['a', 'é'].map((letter) => letter.repeat(248 / Buffer.byteLength(letter)))
      const long = ['b'.repeat(249), 'b'.repeat(255)]
      for (const name of [...fits, ...long, 'short']) await desk.put(name, name)
      const ran = await stamp([...fits, ...long, 'short'], env())
      expect(ran.code).toBe(2)
      expect(ran.err.match(/b{249,}\.pharos cannot be written in \.: ENAMETOOLONG/g)).toHaveLength(2)
      for (const name of [...fits, 'short'])
        expect(await verify([`${name}.pharos`, '--file', name])).toMatchObject({ code: 3 })
      expect(await parts()).toEqual([])
    },
  )

  it('is told for each file of a folder that has none, and the others have their evidence', async () => {
    await fill('photos', 2)
    await writeFile(join(desk.folder, 'photos', 'b'.repeat(250)), 'long')
    const ran = await stamp(['photos', '--evidence'])
    expect([ran.code, ran.err]).toEqual([
      2,
      expect.stringMatching(/pharos: b{250}\.pharos cannot be written/),
    ])
    expect(ran.err).not.toContain('Nothing was stamped')
    for (const name of ['photos/0.txt', 'photos/1.txt'])
      expect(await verify([`${name}.pharos`, '--file', name])).toMatchObject({ code: 3 })
  })

  it('that was taken meanwhile is told with what was made, and keeps no other file from its evidence', async () => {
    await fill('photos', 2)
    for (const name of ['a', 'b', 'c']) await desk.put(name, `${name}, taken meanwhile`)
    const way = await openWay(() => app.base)
    const before = await items()
    const stampTaken = (names: readonly string[], place: string): Promise<Ran> => {
      way.onRequest = async (now, path) => {
        if (now === 'answered' && path.includes('/items')) await desk.put(place, 'a letter')
      }
      return stamp(names, { ...owner(), PHAROS_URL: way.address })
    }
    for (const { names, place, out } of [
      { names: ['a', 'b', 'c'], place: 'b.pharos', out: /^a\.pharos .*\nc\.pharos .*\n$/ },
      { names: ['photos'], place: 'photos.pharos', out: /^$/ },
    ]) {
      const ran = await stampTaken(names, place)
      expect([ran.code, ran.out]).toEqual([2, expect.stringMatching(out)])
      expect(ran.err).toMatch(
        /pharos is there already, and is not overwritten\. Item \w{26} was made all the same/,
      )
      expect(ran.err).not.toContain('was stamped')
      await rm(join(desk.folder, place))
      way.onRequest = () => undefined
      expect(await stamp(names, { ...owner(), PHAROS_URL: way.address })).toMatchObject({ code: 0 })
    }
    expect(await items()).toBe(before + 4)
    expect(await parts()).toEqual([])
    await way.close()
  })

  it('is not made where something else lies that a request would be remembered in', async () => {
    await desk.put('a', 'beside another part')
    await desk.put('a.pharos.part', 'a letter')
    expect(await stamp(['a'])).toMatchObject({
      code: 2,
      err: expect.stringMatching(/a\.pharos\.part is there.*not overwritten\. Nothing was stamped/),
    })
    expect(await readFile(join(desk.folder, 'a.pharos.part'), 'utf8')).toBe('a letter')
  })

  it('is a folder where there are several, and nothing is sent when it is a file', async () => {
    await fill('photos', 2)
    await desk.put('a', 'a')
    await desk.put('out.pharos', 'a letter')
    const before = await items()
    for (const args of [
      ['photos/0.txt', 'photos/1.txt', '-o', 'out.pharos'],
      ['photos', '--each', '-o', 'out.pharos'],
      ['a', '-o', 'out.pharos/'],
      ['photos', '-o', 'out.pharos/'],
      ['a', '-o', 'out.pharos/below/'],
    ]) {
      const ran = await stamp(args)
      expect([ran.code, ran.out]).toEqual([2, ''])
      expect(ran.err).toMatch(/out\.pharos is a file|cannot be written in out\.pharos\/below/)
      expect(ran.err).not.toContain('    at ')
    }
    expect(await items()).toBe(before)
  })
})
