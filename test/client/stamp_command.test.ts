// `pharos stamp` against a running service: what leaves the computer, what comes back, and what stays as it was.
import { createHash } from 'node:crypto'
import { readdir, readFile, rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { commitBlocks } from '../domain/proofs/seed_commitment.ts'
import { openTestApp } from '../support/app.ts'
import { testApp } from '../support/test_app.ts'
import { expectMembers } from './frame/json_members.ts'
import { type Desk, openDesk, type Ran, type RunOptions } from './run_pharos.ts'

const app = testApp({ aggregationIntervalMs: 100 })
let desk: Desk
beforeEach(async () => {
  desk = await openDesk()
})
afterEach(() => desk.clear())

type Env = Readonly<Record<string, string>>
const anybody = (): Env => ({ PHAROS_URL: app.base })
const owner = (): Env => ({ PHAROS_URL: app.base, PHAROS_API_KEY: app.owner.key })
const stamp = (args: readonly string[], env: Env = owner(), more: RunOptions = {}): Promise<Ran> =>
  desk.pharos(['stamp', ...args], { env, ...more })
const verify = (args: readonly string[]): Promise<Ran> => desk.pharos(['verify', '--offline', ...args])

const held = (name: string): Promise<string> => readFile(join(desk.folder, name), 'utf8')
const evidence = async (name: string) => JSON.parse(await held(name))
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

interface Row {
  readonly id: string
  readonly claims: string
  readonly tags: readonly string[]
  readonly visibility: string
}
/** The newest first. */
const items = (): Promise<Row[]> =>
  app.query<Row>('SELECT id, claims, tags, visibility FROM items ORDER BY id DESC')

describe('pharos stamp', { timeout: 120_000 }, () => {
  it('makes an item of the account, and a receipt that verifies with the file and without the service', async () => {
    await desk.put('a.txt', 'in a')
    const ran = await stamp(['a.txt'])
    expect(ran).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^a\.txt\.pharos {2}the receipt of 1 file, accepted \S+\n$/),
    })
    expect(ran.err).toContain('node pharos.mjs upgrade a.txt.pharos --wait')
    const [item] = await items()
    expect(JSON.parse(item?.claims ?? '')).toEqual({
      name: 'file',
      hash: sha256('in a'),
      hash_type: 'sha256',
    })
    expect(await evidence('a.txt.pharos')).toMatchObject({
      name: 'a.txt',
      item: { id: item?.id, service: app.base },
    })
    expect(await verify(['a.txt.pharos', '--file', 'a.txt'])).toMatchObject({ code: 3 })
    await desk.put('b.txt', 'in b')
    expect(await verify(['a.txt.pharos', '--file', 'b.txt'])).toMatchObject({ code: 1 })
  })

  it('gives the item the name, the labels and the visibility that one asks for', async () => {
    await desk.put('a.txt', 'labelled')
    const ran = await stamp([
      'a.txt',
      '--name',
      'A letter',
      '--tag',
      'x',
      '--tag',
      'y',
      '--visibility',
      'public',
    ])
    expect(ran.code).toBe(0)
    const [item] = await items()
    expect(item).toMatchObject({ tags: ['x', 'y'], visibility: 'public' })
    expect(JSON.parse(item?.claims ?? '')).toMatchObject({ name: 'A letter' })
  })

  it('makes nothing twice: neither when there is evidence already, nor when that was lost on the way', async () => {
    await desk.put('a.txt', 'once')
    await stamp(['a.txt'])
    const before = await held('a.txt.pharos')
    const { length } = await items()
    expect(await stamp(['a.txt'])).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^a\.txt\.pharos {2}is there already, of 1 file/),
    })
    await rm(join(desk.folder, 'a.txt.pharos'))
    expect((await stamp(['a.txt'])).code).toBe(0)
    expect(await held('a.txt.pharos')).toBe(before)
    expect(await items()).toHaveLength(length)
  })

  it('overwrites nothing: evidence of what a file was before stays, and so does what is no evidence', async () => {
    await desk.put('a.txt', 'before')
    await stamp(['a.txt'])
    const before = await held('a.txt.pharos')
    await desk.put('a.txt', 'after')
    await desk.put('b.txt', 'b')
    await desk.put('b.txt.pharos', 'a letter')
    await desk.put('c.txt', 'c')
    const ran = await stamp(['a.txt', 'b.txt', 'c.txt'])
    expect([ran.code, ran.out]).toEqual([2, expect.stringMatching(/^c\.txt\.pharos {2}.*\n$/)])
    expect(ran.err).toContain('a.txt.pharos is there already')
    expect(await held('a.txt.pharos')).toBe(before)
    expect(await held('b.txt.pharos')).toBe('a letter')
  })

  it('needs no account: the receipt is of a round, salted, and there is nothing to be named', async () => {
    await desk.put('a.txt', 'anybody’s')
    const ran = await stamp(['a.txt'], anybody())
    expect(ran).toMatchObject({ code: 0, err: expect.stringContaining('there is no other copy') })
    expect(await evidence('a.txt.pharos')).toMatchObject({
      name: 'a.txt',
      trees: [{ salt: expect.stringMatching(/^[0-9a-f]{32}$/) }],
      item: { claims: { name: expect.stringContaining('Pharos round') } },
    })
    expect(await verify(['a.txt.pharos', '--file', 'a.txt'])).toMatchObject({ code: 3 })
    await app.finalize()
    await commitBlocks({ em: app.store.em() })
    expect(await desk.pharos(['upgrade', 'a.txt.pharos'])).toMatchObject({ code: 0 })
    expect(await verify(['a.txt.pharos', '--file', 'a.txt'])).toMatchObject({ code: 0 })
    expect(await stamp(['a.txt', '--tag', 'x'], anybody())).toMatchObject({
      code: 4,
      err: expect.stringContaining('--tag is for items of an account'),
    })
  })

  it('says that it needs an account where nothing is taken without one', async () => {
    const shut = await openTestApp({ beside: app, publicDoors: [] })
    await desk.put('a.txt', 'closed')
    expect(await stamp(['a.txt'], { PHAROS_URL: shut.base })).toMatchObject({
      code: 4,
      out: '',
      err: expect.stringContaining('takes nothing without an account'),
    })
    await shut.close()
    expect(await readdir(desk.folder)).not.toContain('a.txt.pharos')
  })

  it('makes an item of each of several files, in one request for all', async () => {
    const names = Array.from({ length: 12 }, (_, n) => `${n}.txt`)
    for (const name of names) await desk.put(name, `in ${name}`)
    const { length } = await items()
    for (const env of [owner(), anybody()]) {
      expect((await stamp(names, env)).code).toBe(0)
      for (const name of names.slice(0, 2))
        expect(await verify([`${name}.pharos`, '--file', name])).toMatchObject({ code: 3 })
      for (const name of names) await rm(join(desk.folder, `${name}.pharos`))
    }
    // The twelve of the account, and the round.
    expect(await items()).toHaveLength(length + 13)
    expect(app.logged.filter(({ operation }) => operation === 'createItems')).toHaveLength(1)
  })

  it('names links and what is no file, and leaves them out; evidence is left out too', async () => {
    await desk.put('a.txt', 'a')
    await symlink('a.txt', join(desk.folder, 'link.txt'))
    await desk.put('old.pharos', 'x')
    const ran = await stamp(['a.txt', 'link.txt', 'old.pharos', '/dev/null'])
    expect([ran.code, ran.out]).toEqual([0, expect.stringMatching(/^a\.txt\.pharos {2}.*\n$/)])
    expect(ran.err).toContain('link.txt  left out: it is a link')
    expect(ran.err).toContain('/dev/null  left out: it is no regular file')
    expect(ran.err).toContain('Left out: 1 file of evidence')
    expect(await stamp(['link.txt'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('nothing to stamp'),
    })
  })

  it('takes standard input and digests, and writes to a place of its own, or to standard output', async () => {
    const input = await stamp(['-', '-o', 'input.pharos'], owner(), { input: 'piped' })
    expect(input).toMatchObject({ code: 0, out: expect.stringMatching(/^input\.pharos/) })
    expect(await evidence('input.pharos')).toMatchObject({ digest: { value: sha256('piped') } })
    const sha512 = createHash('sha512').update('x').digest('hex')
    expect(await stamp(['--hash', `${sha512}:sha512`])).toMatchObject({ code: 0 })
    expect(await evidence(`${sha512}.pharos`)).toMatchObject({ digest: { type: 'sha512', value: sha512 } })
    await desk.put('a.txt', 'a')
    const ran = await stamp(['a.txt', '-o', '-'])
    expect([ran.code, JSON.parse(ran.out)]).toMatchObject([0, { digest: { value: sha256('a') } }])
    expect(await readdir(desk.folder)).not.toContain('a.txt.pharos')
    expect(await stamp(['a.txt', '-o', 'out/'])).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^out\/a\.txt\.pharos/),
    })
  })

  it('prints what it did as JSON', async () => {
    await desk.put('a.txt', 'json')
    const ran = await stamp(['a.txt', '--json'])
    const [item] = await items()
    expectMembers('stamp', JSON.parse(ran.out))
    expect(JSON.parse(ran.out)).toEqual({
      service: app.base,
      stamped: [{ evidence: 'a.txt.pharos', item_id: item?.id, files: 1, is_new: true, state: 'receipt' }],
    })
  })

  it.each<[string, readonly string[]]>([
    ['no words', []],
    ['a file and a digest', ['a.txt', '--hash', sha256('x')]],
    ['a digest of another length', ['--hash', 'abcd']],
    ['a digest of an unknown type', ['--hash', `${sha256('x')}:sha3`]],
    ['a file that is not there', ['nothing.txt']],
    ['a folder among files', ['a.txt', '.']],
    ['an unknown option', ['a.txt', '--loud']],
  ])('asks nobody about %s', async (_, args) => {
    await desk.put('a.txt', 'a')
    const requests = () => app.logged.filter(({ msg }) => msg === 'request.answered').length
    const before = requests()
    expect(await stamp(args)).toMatchObject({ code: 2, out: '' })
    expect(requests()).toBe(before)
  })
})
