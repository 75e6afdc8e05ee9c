// `pharos stamp` of files that are named, one by one or in a list: each is stamped, wherever it lies and however it is called,
// or the command refuses before anything is sent.
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { quoted } from '../../server/client/files.ts'
import { printable } from '../../shared/cli/terminal.ts'
import { testApp } from '../support/test_app.ts'
import { type Desk, openDesk, type Ran } from './run_pharos.ts'

const app = testApp({ aggregationIntervalMs: 100 })
let desk: Desk
beforeEach(async () => {
  desk = await openDesk()
})
afterEach(() => desk.clear())

const stamp = (args: readonly string[]): Promise<Ran> =>
  desk.pharos(['stamp', ...args], { env: { PHAROS_URL: app.base, PHAROS_API_KEY: app.owner.key } })
const verify = (args: readonly string[]): Promise<Ran> => desk.pharos(['verify', '--offline', ...args])
const items = async (): Promise<number> => (await app.query('SELECT id FROM items')).length
const pathsOf = async (manifest: string): Promise<string[]> =>
  (await readFile(join(desk.folder, manifest), 'utf8'))
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((line) => (JSON.parse(line) as { path: string }).path)

const COUNT = 260
/** Puts so many files there and answers their names, from the desk. */
async function fill(folder: string): Promise<string[]> {
  await mkdir(join(desk.folder, folder), { recursive: true })
  const names = Array.from({ length: COUNT }, (_, n) => `${folder}/${n}`)
  await Promise.all(names.map((name) => writeFile(join(desk.folder, name), `in ${name}`)))
  return names
}

describe('files that are named', { timeout: 120_000 }, () => {
  it('of which two would have one path in a manifest, or one place, are refused before anything is sent', async () => {
    const near = await fill('2024')
    const elsewhere = await openDesk()
    await mkdir(join(elsewhere.folder, '2024'))
    await elsewhere.put('2024/7', 'yet another one')
    const inner = `${elsewhere.folder.slice(1)}/2024`
    await mkdir(join(desk.folder, inner), { recursive: true })
    await writeFile(join(desk.folder, inner, '7'), 'the same path below the desk')
    const before = await items()
    for (const args of [
      [...near, `${elsewhere.folder}/2024/7`, `${inner}/7`],
      [`${elsewhere.folder}/2024/7`, `${inner}/7`, '-o', 'out/'],
    ])
      expect(await stamp(args)).toMatchObject({
        code: 2,
        out: '',
        err: expect.stringMatching(/Two of them would be called .*2024\/7: .*2024\/7 and .*two commands/s),
      })
    expect(await items()).toBe(before)
    // Beside them there is a place for each.
    expect(await stamp([`${elsewhere.folder}/2024/7`, `${inner}/7`])).toMatchObject({ code: 0 })
    for (const name of [`${elsewhere.folder}/2024/7`, `${inner}/7`])
      expect(await verify([`${name}.pharos`, '--file', name])).toMatchObject({ code: 3 })
    expect(await items()).toBe(before + 2)
    await elsewhere.clear()
  })

  it('from two folders have their evidence below the folder of -o', async () => {
    for (const folder of ['x', 'y']) await mkdir(join(desk.folder, folder))
    for (const name of ['x/a', 'y/a']) await desk.put(name, `in ${name}`)
    expect(await stamp(['x/a', 'y/a', '-o', 'out'])).toMatchObject({ code: 0 })
    for (const name of ['x/a', 'y/a'])
      expect(await verify([`out/${name}.pharos`, '--file', name])).toMatchObject({ code: 3 })
  })

  it('have evidence beside each of them, wherever they lie, also from a list', async () => {
    const elsewhere = await openDesk()
    await mkdir(join(elsewhere.folder, 'photos'))
    const names = Array.from({ length: COUNT }, (_, n) => `${elsewhere.folder}/photos/${n}`)
    await Promise.all(names.map((name) => writeFile(name, `in ${name}`)))
    expect(await stamp(['--evidence', ...names])).toMatchObject({ code: 0 })
    expect(await pathsOf('files.pharos')).toHaveLength(COUNT)
    const listed = await fill('listed')
    await desk.put('list', listed.map((name) => `./${name}\n`).join(''))
    expect(await stamp(['--evidence', '--from', 'list'])).toMatchObject({ code: 0 })
    expect(await pathsOf('list.pharos')).toEqual(listed)
    for (const name of [...names.slice(0, 2), ...listed.slice(0, 2)])
      expect(await verify([`${name}.pharos`, '--file', name])).toMatchObject({ code: 3 })
    expect(await readdir(join(elsewhere.folder, 'photos'))).toHaveLength(2 * COUNT)
    expect((await readdir(desk.folder)).sort()).toEqual(
      ['config', 'files.pharos', 'list', 'list.pharos', 'listed', 'pharos.mjs'].sort(),
    )
    await elsewhere.clear()
  })

  it('by their digests have an item each', async () => {
    const hashes = ['ab', 'cd', 'ef'].map((byte) => byte.repeat(32))
    const before = await items()
    expect(await stamp(hashes.flatMap((hash) => ['--hash', hash]))).toMatchObject({ code: 0 })
    expect(await items()).toBe(before + 3)
    for (const hash of hashes) expect(await verify([`${hash}.pharos`])).toMatchObject({ code: 3 })
  })

  it('steer no terminal by their names, and what is to be typed next can be typed', async () => {
    const name = 'a\u001b[2J\u202eb.txt'
    await desk.put(name, 'steering')
    const ran = await stamp([name])
    expect(ran.code).toBe(0)
    const told = `${ran.out}${ran.err}`.replaceAll('\n', ' ')
    expect(told).toBe(printable(told))
    expect(ran.err).toContain("upgrade $'a\\x1b[2J\\xe2\\x80\\xaeb.txt.pharos' --wait")
    expect(quoted("it's")).toBe("'it'\\''s'")
    expect(quoted("it's\n")).toBe("$'it\\x27s\\x0a'")
  })
})
