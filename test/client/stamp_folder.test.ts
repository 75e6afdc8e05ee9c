// `pharos stamp` of a folder, and of long lists: one item for all, a manifest with every file, and `pharos verify --manifest`,
// which says what became of them.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { appendFile, mkdir, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { commitBlocks } from '../domain/proofs/seed_commitment.ts'
import { testApp } from '../support/test_app.ts'
import { expectMembers } from './frame/json_members.ts'
import { openWay } from './heard_way.ts'
import { node20 } from './node_20.ts'
import { type Desk, openDesk, type Ran, type RunOptions } from './run_pharos.ts'

const app = testApp({ aggregationIntervalMs: 100 })
const oldest = node20()
let desk: Desk
beforeEach(async () => {
  desk = await openDesk()
})
afterEach(() => desk.clear())

const owner = () => ({ PHAROS_URL: app.base, PHAROS_API_KEY: app.owner.key })
const stamp = (args: readonly string[], { env = owner(), ...more }: RunOptions = {}): Promise<Ran> =>
  desk.pharos(['stamp', ...args], { env, ...more })
const verify = (args: readonly string[]): Promise<Ran> => desk.pharos(['verify', '--offline', ...args])
const compare = (manifest: string, folder: string): Promise<Ran> => verify(['--manifest', manifest, folder])

const put = async (path: string, content = `in ${path}`): Promise<void> => {
  await mkdir(join(desk.folder, dirname(path)), { recursive: true })
  await writeFile(join(desk.folder, path), content)
}
const held = (path: string): Promise<string> => readFile(join(desk.folder, path), 'utf8')
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

interface Line {
  readonly path: string
  readonly digest: { readonly type: string; readonly value: string }
  readonly salt: string
}
const entriesOf = async (manifest: string): Promise<Line[]> =>
  (await held(manifest))
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((line) => JSON.parse(line))
const pathsOf = async (manifest: string): Promise<string[]> =>
  (await entriesOf(manifest)).map(({ path }) => path)

const newestClaims = async (): Promise<unknown> => {
  const [item] = await app.query<{ claims: string }>('SELECT claims FROM items ORDER BY id DESC LIMIT 1')
  return JSON.parse(item?.claims ?? 'null')
}

describe('pharos stamp of a folder', { timeout: 120_000 }, () => {
  it('makes one item of all, and a manifest with every digest and a salt of its own', async () => {
    for (const path of ['photos/a.txt', 'photos/b/c.txt', 'photos/b/d.txt']) await put(path)
    const ran = await stamp(['photos'])
    expect(ran).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^photos\.pharos {2}the receipt of 3 files/),
    })
    const entries = await entriesOf('photos.pharos')
    expect(entries).toEqual(
      ['a.txt', 'b/c.txt', 'b/d.txt'].map((path) => ({
        path,
        digest: { type: 'sha256', value: sha256(`in photos/${path}`) },
        salt: expect.stringMatching(/^[0-9a-f]{32}$/),
      })),
    )
    expect(new Set(entries.map(({ salt }) => salt)).size).toBe(3)
    expect(await newestClaims()).toMatchObject({
      name: '3 files',
      hash_type: 'sha256',
      metadata: { tree: { format: 'pharos-tree-v1', size: 4 } },
    })
    expect(await readdir(desk.folder)).not.toContain('photos.pharos.part')
    expect(await verify(['photos.pharos'])).toMatchObject({ code: 3 })
    await app.finalize()
    await commitBlocks({ em: app.store.em() })
    expect(await desk.pharos(['upgrade', 'photos.pharos'], { env: owner() })).toMatchObject({ code: 0 })
    expect(await compare('photos.pharos', 'photos')).toMatchObject({ code: 0 })
  })

  it('needs no account, and then hands in the root alone', async () => {
    await put('photos/a.txt')
    await put('photos/b.txt')
    expect(await stamp(['photos'], { env: { PHAROS_URL: app.base } })).toMatchObject({ code: 0 })
    const [first = ''] = (await held('photos.pharos')).split('\n')
    expect(JSON.parse(first)).toMatchObject({ size: 3, trees: [{ index: expect.any(Number) }] })
    expect(await compare('photos.pharos', 'photos')).toMatchObject({ code: 3 })
  })

  it('takes files in the order of the bytes of their paths, and names what it leaves out', async () => {
    const names = ['Z', 'a', 'a.txt', 'a/b', 'a/b.c/d', 'a/b/c', 'a0', 'é', '～', '😀', 'new\nline']
    const files = names.filter((name) => !names.some((other) => other.startsWith(`${name}/`)))
    for (const name of files) await put(`photos/${name}`)
    await put('photos/old.txt.pharos')
    await symlink('a.txt', join(desk.folder, 'photos/link'))
    execFileSync('mkfifo', [join(desk.folder, 'photos/pipe')])
    const ran = await stamp(['photos/'])
    expect(ran.code).toBe(0)
    expect(await pathsOf('photos.pharos')).toEqual(
      files.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b))),
    )
    expect(ran.err).toContain('link  left out: it is a link')
    expect(ran.err).toContain('pipe  left out: it is no regular file')
    expect(ran.err).toContain('Left out: 1 file of evidence')
  })

  it('makes nothing twice, and overwrites nothing when the folder has changed', async () => {
    await put('photos/a.txt')
    await put('photos/b.txt')
    await stamp(['photos'])
    const before = await held('photos.pharos')
    const items = await app.query('SELECT id FROM items')
    expect(await stamp(['photos'])).toMatchObject({
      code: 0,
      out: expect.stringContaining('is there already'),
    })
    await put('photos/b.txt', 'changed')
    expect(await stamp(['photos'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('verify --manifest'),
    })
    await put('photos/b.txt')
    await put('photos/c.txt')
    expect(await stamp(['photos'])).toMatchObject({ code: 2 })
    expect(await held('photos.pharos')).toBe(before)
    expect(await app.query('SELECT id FROM items')).toHaveLength(items.length)
  })

  it('writes evidence beside each file as well, or an item for each file instead', async () => {
    for (const path of ['photos/a.txt', 'photos/b/c.txt']) await put(path)
    expect(await stamp(['photos', '--evidence'])).toMatchObject({ code: 0 })
    for (const path of ['photos/a.txt', 'photos/b/c.txt'])
      expect(await verify([`${path}.pharos`, '--file', path])).toMatchObject({ code: 3 })
    const ofOne = JSON.parse(await held('photos/a.txt.pharos'))
    const ofOther = JSON.parse(await held('photos/b/c.txt.pharos'))
    expect(ofOne.item.id).toBe(ofOther.item.id)
    expect(await stamp(['photos', '--each', '-o', 'each/'])).toMatchObject({ code: 0 })
    expect(JSON.parse(await held('each/a.txt.pharos')).trees).toBeUndefined()
    expect(await verify(['each/b/c.txt.pharos', '--file', 'photos/b/c.txt'])).toMatchObject({ code: 3 })
  })

  it('hashes large files beside each other, and each digest stands at its file', async () => {
    const sizes = [30, 9, 20, 0, 12].map((mebibytes) => mebibytes * 1_048_576)
    for (const [at, size] of sizes.entries()) await put(`photos/${at}`, String(at).repeat(size))
    expect(await stamp(['photos'])).toMatchObject({ code: 0 })
    expect((await entriesOf('photos.pharos')).map(({ digest }) => digest.value)).toEqual(
      sizes.map((size, at) => sha256(String(at).repeat(size))),
    )
    expect(await compare('photos.pharos', 'photos')).toMatchObject({
      out: expect.stringContaining('5 files unchanged, 0 changed'),
    })
    await appendFile(join(desk.folder, 'photos/2'), 'more')
    expect((await compare('photos.pharos', 'photos')).out).toMatch(
      /changed +2\n[\s\S]*4 files unchanged, 1 changed/,
    )
  })

  it.skipIf(oldest === undefined)('does the same on the oldest Node that it runs on', async () => {
    for (const [name, size] of [
      ['a', 20_000_000],
      ['b', 10_000_000],
      ['c', 1],
    ] as const)
      await put(`photos/${name}`, name.repeat(size))
    const inOldest = (...args: string[]) => desk.pharos(args, { env: owner(), node: oldest })
    expect(await inOldest('stamp', 'photos')).toMatchObject({ code: 0 })
    const compared = await inOldest('verify', '--offline', '--manifest', 'photos.pharos', 'photos')
    expect([compared.code, compared.out]).toEqual([
      3,
      expect.stringContaining('3 files unchanged, 0 changed'),
    ])
    expect(await compare('photos.pharos', 'photos')).toMatchObject({ code: 3 })
  })

  it('refuses a file that changes while it is hashed, and nothing is stamped', async () => {
    await put('photos/a.txt')
    await put('photos/growing')
    const growing = join(desk.folder, 'photos/growing')
    execFileSync('truncate', ['-s', '512M', growing])
    const items = await app.query('SELECT id FROM items')
    let isOver = false
    const running = stamp(['photos']).finally(() => {
      isOver = true
    })
    while (!isOver) await appendFile(growing, 'x')
    expect(await running).toMatchObject({
      code: 2,
      err: expect.stringContaining('growing changed while it was hashed'),
    })
    expect(await readdir(desk.folder)).not.toContain('photos.pharos')
    expect(await app.query('SELECT id FROM items')).toHaveLength(items.length)
  })

  it('goes to standard output, or to where one wants it', async () => {
    await put('photos/a.txt')
    const ran = await stamp(['photos', '-o', '-'])
    expect(ran.out.split('\n')).toHaveLength(3)
    expect(await stamp(['photos', '-o', 'out/'])).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^out\/photos\.pharos/),
    })
    expect(await pathsOf('out/photos.pharos')).toEqual(['a.txt'])
  })
})

describe('what leaves the computer', { timeout: 120_000 }, () => {
  const hex = expect.stringMatching(/^[0-9a-f]+$/)
  const NAMES = ['secret', 'folder', 'paper', 'pharos-verifier']

  it('are digests, salts and the number of files, and no name and no path', async () => {
    const way = await openWay(() => app.base)
    for (const name of ['a', 'b']) await put(`secret folder/${name} paper.txt`)
    for (const env of [{ PHAROS_URL: way.address }, { ...owner(), PHAROS_URL: way.address }])
      for (const words of [
        ['secret folder'],
        ['secret folder/a paper.txt'],
        ['secret folder/a paper.txt', 'secret folder/b paper.txt'],
      ]) {
        for (const name of await readdir(join(desk.folder, 'secret folder')))
          if (name.endsWith('.pharos')) await rm(join(desk.folder, 'secret folder', name))
        await rm(join(desk.folder, 'secret folder.pharos'), { force: true })
        expect(await stamp(words, { env })).toMatchObject({ code: 0 })
      }
    await way.close()
    const bodies = way.heard.filter(({ method }) => method === 'POST').map(({ body }) => JSON.parse(body))
    const item = (name: string) => ({ claims: { name, hash: hex, hash_type: 'sha256' } })
    const salted = { type: 'sha256', value: hex, salt: hex }
    expect(bodies).toEqual([
      { digests: [{ type: 'pharos-tree-v1', value: hex }] },
      { digests: [salted] },
      { digests: [salted, salted] },
      {
        data: {
          type: 'item',
          attributes: {
            claims: { ...item('2 files').claims, metadata: { tree: { format: 'pharos-tree-v1', size: 3 } } },
          },
        },
      },
      { data: { type: 'item', attributes: item('file') } },
      { data: { items: [item('file'), item('file')] } },
    ])
    for (const { path, body } of way.heard)
      for (const name of NAMES) expect(`${path} ${body}`).not.toContain(name)
  })
})

describe('pharos stamp of a list', { timeout: 120_000 }, () => {
  it('takes what sha256sum prints, with its marks and escapes, and looks at no file', async () => {
    const lines = Array.from({ length: 300 }, (_, n) => `${sha256(String(n))}  ./dir/${n}.txt`)
    lines[1] = `${sha256('1')} *binary.txt`
    lines[2] = `\\${sha256('2')}  two\\nlines\\\\n`
    await put('sums', `${lines.join('\n')}\n`)
    expect(await stamp(['--from', 'sums'])).toMatchObject({ code: 2, err: expect.stringContaining('"two') })
    lines[2] = `\\${sha256('2')}  two\\nlines`
    await put('sums', `${lines.join('\n')}\n`)
    expect(await stamp(['--from', 'sums'])).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^sums\.pharos .*300 files/),
    })
    const entries = await entriesOf('sums.pharos')
    expect(entries.slice(0, 3).map(({ path, digest }) => [path, digest.value])).toEqual([
      ['dir/0.txt', sha256('0')],
      ['binary.txt', sha256('1')],
      ['two\nlines', sha256('2')],
    ])
    const piped = await stamp(['--from', '-', '-o', 'piped.pharos'], { input: await held('sums') })
    expect(piped).toMatchObject({ code: 0 })
    expect(await pathsOf('piped.pharos')).toEqual(await pathsOf('sums.pharos'))
  })

  it('takes names of files, one a line or ended by NUL', async () => {
    await put('a.txt')
    await put('two\nlines')
    await put('list', 'a.txt\0two\nlines\0')
    expect(await stamp(['--from', 'list'])).toMatchObject({ code: 0 })
    expect(await verify(['two\nlines.pharos', '--file', 'two\nlines'])).toMatchObject({ code: 3 })
    await put('lines', 'a.txt\nnothing.txt\n')
    expect(await stamp(['--from', 'lines', '-o', 'out/'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('nothing.txt'),
    })
  })
})

describe('pharos stamp of many files that are named', { timeout: 120_000 }, () => {
  it('takes each once, in the order of the bytes of their paths', async () => {
    const names = Array.from({ length: 260 }, (_, at) => `n${at}`)
    await Promise.all(names.map((name) => put(name)))
    expect(await stamp([...names.toReversed(), 'n7', './n8'])).toMatchObject({ code: 0 })
    expect(await pathsOf('files.pharos')).toEqual(names.toSorted())
  })
})

describe('pharos verify --manifest', { timeout: 120_000 }, () => {
  it('says which files were changed, which are missing and which are new', async () => {
    for (const name of ['a', 'b', 'c', 'd/e']) await put(`photos/${name}`)
    await stamp(['photos'])
    await put('photos/a', 'changed')
    await rm(join(desk.folder, 'photos/b'))
    await put('photos/f')
    const ran = await compare('photos.pharos', 'photos')
    expect(ran.code).toBe(1)
    expect(ran.out).toMatch(/^ {2}changed +a$/m)
    expect(ran.out).toMatch(/^ {2}missing +b$/m)
    expect(ran.out).toMatch(/^ {2}new +f$/m)
    expect(ran.out).toMatch(/^2 files unchanged, 1 changed, 1 missing, 1 new$/m)
    const json = await verify(['--manifest', 'photos.pharos', 'photos', '--json'])
    expectMembers('verify folder', JSON.parse(json.out))
    expect([json.code, JSON.parse(json.out)]).toMatchObject([
      1,
      { report: { verdict: 'not_yet' }, unchanged: 2, changed: ['a'], missing: ['b'], new: ['f'] },
    ])
  })

  it('follows no links, and opens no file by names that are not the item’s', async () => {
    await put('photos/d/e')
    await put('photos/f')
    await stamp(['photos'])
    await rename(join(desk.folder, 'photos/d'), join(desk.folder, 'elsewhere'))
    await symlink('../elsewhere', join(desk.folder, 'photos/d'))
    const linked = await compare('photos.pharos', 'photos')
    expect([linked.code, linked.out]).toEqual([1, expect.stringMatching(/^ {2}missing +d\/e$/m)])
    await put('photos.pharos', (await held('photos.pharos')).replace('"path":"f"', '"path":"g"'))
    const renamed = await compare('photos.pharos', 'photos')
    expect([renamed.code, renamed.out]).toEqual([1, expect.stringMatching(/^Not valid$/m)])
    expect(renamed.out).not.toContain('missing')
  })
})
