// `pharos stamp` that is killed, wherever it is: the same command afterwards goes on, makes nothing twice and loses nothing.
import { hash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { sizeOf } from '../support/sizes.ts'
import { testApp } from '../support/test_app.ts'
import { type HeardWay, openWay } from './heard_way.ts'
import { killedWhen } from './killed_when.ts'
import { type Desk, openDesk, type Ran } from './run_pharos.ts'
import { runningPharos } from './running_pharos.ts'

const app = testApp({ aggregationIntervalMs: 100 })
const FILES = 2_000
const KILLS = sizeOf('hashing_kills')
const EACH = 12

let desk: Desk
let way: HeardWay

beforeAll(async () => {
  desk = await openDesk()
  way = await openWay(() => app.base)
  mkdirSync(join(desk.folder, 'many'))
  for (let n = 0; n < FILES; n += 1) writeFileSync(join(desk.folder, `many/${n}`), `file ${n}`)
  for (let n = 0; n < EACH; n += 1) writeFileSync(join(desk.folder, `${n}.txt`), `text ${n}`)
})
afterAll(async () => {
  await way.close()
  await desk.clear()
})

/** Undefined to stamp as anybody. */
let key: string | undefined
beforeEach(() => {
  key = app.owner.key
})
const stamp = (args: readonly string[], killed?: AbortSignal): Promise<Ran> =>
  desk.pharos(['stamp', ...args], {
    env: { PHAROS_URL: way.address, ...(key === undefined ? {} : { PHAROS_API_KEY: key }) },
    ...(killed === undefined ? {} : { killed }),
  })
const verify = (args: readonly string[]): Promise<Ran> => desk.pharos(['verify', '--offline', ...args])
const items = async (): Promise<number> => (await app.query('SELECT id FROM items')).length
const there = (pattern: RegExp): string[] => readdirSync(desk.folder).filter((name) => pattern.test(name))
const bytesOf = (pattern: RegExp): number =>
  Math.max(
    -1,
    ...there(pattern).map((name) => statSync(join(desk.folder, name), { throwIfNoEntry: false })?.size ?? -1),
  )
const clear = (pattern: RegExp): void => {
  for (const name of there(pattern)) rmSync(join(desk.folder, name))
}

/** Resolves once the command has ended, by being killed at the first change of the folder after which it is there. */
const killedAt = (args: readonly string[], isThere: () => boolean): Promise<Ran> =>
  killedWhen(desk.folder, isThere, (killed) => stamp(args, killed))

/**
 * As `killedAt`, at its request of this count with this in its path. When it was `asked`, the service hears of it all the same.
 */
async function killedBy(
  args: readonly string[],
  moment: 'asked' | 'answered',
  path: string,
  count = 1,
): Promise<Ran> {
  const killing = new AbortController()
  const over = Promise.withResolvers<void>()
  let requests = 0
  way.onRequest = async (now, url) => {
    if (now !== moment || !url.includes(path)) return
    requests += 1
    if (requests !== count) return
    killing.abort()
    await over.promise
  }
  const ran = await stamp(args, killing.signal)
  way.onRequest = () => undefined
  over.resolve()
  expect([requests, ran.code]).toEqual([count, null])
  return ran
}

/**
 * Tries until the kill comes before the end: the last moments of a command are short.
 * @param again everything is as before the first run
 * @returns how many items there were before the one that was killed
 */
async function struck(again: () => void, kill: () => Promise<Ran>): Promise<number> {
  for (let attempt = 0; attempt < 30; attempt += 1) {
    again()
    const before = await items()
    if ((await kill()).code === null) return before
  }
  throw new Error('No kill came in time.')
}

const PART = /^many\.pharos\.part$/
const FRESH = /^many\.pharos\..*\.new$/
const WHOLE = /^many\.pharos$/
const PART_BYTES = FILES * 190

const IN_TREE: readonly [string, () => Promise<Ran>][] = [
  ...(['asked', 'answered'] as const).flatMap((moment): [string, () => Promise<Ran>][] =>
    ['keyring', 'items'].map((path) => [
      `when the ${path} were ${moment}`,
      () => killedBy(['many'], moment, path),
    ]),
  ),
  ...Array.from({ length: KILLS }, (_, part): [string, () => Promise<Ran>] => [
    `with ${part} of ${KILLS} parts of the digests written`,
    () => killedAt(['many'], () => bytesOf(PART) >= (part * PART_BYTES) / KILLS),
  ]),
  ...[0, 1, 2].map((third): [string, () => Promise<Ran>] => [
    `with ${third} thirds of the manifest written`,
    () => killedAt(['many'], () => bytesOf(FRESH) >= (third * PART_BYTES) / 3),
  ]),
  ['with the manifest in its place', () => killedAt(['many'], () => there(WHOLE).length > 0)],
]

describe('a stamp that is killed', { timeout: 300_000 }, () => {
  it.each(IN_TREE)('%s goes on when it is called again', async (_, kill) => {
    const before = await struck(() => clear(/^many\./), kill)
    expect(await stamp(['many'])).toMatchObject({ code: 0 })
    expect(await items()).toBe(before + 1)
    expect(there(/^many\.pharos/)).not.toContain('many.pharos.part')
    const compared = await verify(['--manifest', 'many.pharos', 'many'])
    expect([compared.code, compared.out]).toEqual([
      3,
      expect.stringContaining(`${FILES} files unchanged, 0 changed, 0 missing, 0 new`),
    ])
  })

  it('goes on with what was hashed already, and hashes anew what was touched since', async () => {
    clear(/^many\./)
    await killedBy(['many'], 'asked', 'items')
    const first = bytesOf(PART)
    writeFileSync(join(desk.folder, 'many/7'), 'touched')
    expect(first).toBeGreaterThan(0)
    expect(await stamp(['many'])).toMatchObject({ code: 0 })
    const compared = await verify(['--manifest', 'many.pharos', 'many'])
    expect(compared.out).toContain(`${FILES} files unchanged`)
  })

  const names = Array.from({ length: EACH }, (_, n) => `${n}.txt`)
  const EVIDENCE = /^\d+\.txt\.pharos$/
  /** Each has a receipt that is valid, and its own. */
  const expectReceipts = async (): Promise<void> => {
    expect(await verify(names.map((name) => `${name}.pharos`))).toMatchObject({ code: 3 })
    const digests = names.map((name) => {
      const { digest } = JSON.parse(readFileSync(join(desk.folder, `${name}.pharos`), 'utf8'))
      return digest.value
    })
    expect(digests).toEqual(names.map((name) => hash('sha256', readFileSync(join(desk.folder, name)), 'hex')))
  }

  it.each([1, 4, 8, 11])(
    'with the evidence of %i of several files written makes no item twice',
    async (written) => {
      let attempts = 0
      const before = await struck(
        () => {
          clear(/^\d+\.txt\.pharos/)
          attempts += 1
          for (const name of names)
            writeFileSync(join(desk.folder, name), `${name} for ${written}, ${attempts}`)
        },
        () => killedAt(names, () => there(EVIDENCE).length >= written),
      )
      expect(await stamp(names)).toMatchObject({ code: 0 })
      expect(await items()).toBe(before + EACH)
      expect(there(/\.part$/)).toEqual([])
      await expectReceipts()
    },
  )

  it('makes no item twice beside files that have come, gone or changed since', async () => {
    clear(/^\d+\.txt\.pharos/)
    for (const name of names) writeFileSync(join(desk.folder, name), `${name} among others`)
    expect(await stamp(names.slice(0, 2))).toMatchObject({ code: 0 })
    const before = await items()
    await killedBy(names.slice(1, 10), 'answered', 'items/batch')
    writeFileSync(join(desk.folder, '4.txt'), 'changed since')
    expect(await stamp(names.filter((name) => name !== '5.txt'))).toMatchObject({ code: 0 })
    // Eight were asked for when it was killed; 4.txt is another now, and two have come.
    expect(await items()).toBe(before + 8 + 3)
    expect(await stamp(names)).toMatchObject({ code: 0 })
    expect(await items()).toBe(before + 8 + 3)
    await expectReceipts()
    expect(there(/\.part$/)).toEqual([])
  })

  it.each(['asked', 'answered'] as const)(
    'between two requests for many files, the second of which was %s, makes no item twice',
    async (moment) => {
      rmSync(join(desk.folder, 'each'), { recursive: true, force: true })
      mkdirSync(join(desk.folder, 'each'))
      for (let n = 0; n < 300; n += 1) writeFileSync(join(desk.folder, `each/${n}`), `${moment} ${n}`)
      const before = await items()
      await killedBy(['--each', 'each'], moment, 'items/batch', 2)
      writeFileSync(join(desk.folder, 'each/! first of all'), `new, ${moment}`)
      expect(await stamp(['--each', 'each'])).toMatchObject({ code: 0 })
      expect(await items()).toBe(before + 301)
      expect(readdirSync(join(desk.folder, 'each'))).toHaveLength(602)
    },
  )

  it.each(['0.txt', 'many'])('by an interrupt, about %s, ends with 130 and goes on again', async (name) => {
    clear(/^(many|0\.txt)\.pharos/)
    writeFileSync(join(desk.folder, '0.txt'), 'interrupted')
    const before = await items()
    const held = Promise.withResolvers<void>()
    const asked = new Promise<void>((reached) => {
      way.onRequest = async (now, path) => {
        if (now !== 'answered' || !path.includes('items')) return
        reached()
        await held.promise
      }
    })
    const running = runningPharos(desk, ['stamp', name], {
      PHAROS_URL: way.address,
      PHAROS_API_KEY: app.owner.key,
    })
    await asked
    running.kill('SIGINT')
    expect(await running.ended).toBe(130)
    way.onRequest = () => undefined
    held.resolve()
    expect(await stamp([name])).toMatchObject({ code: 0 })
    expect(await items()).toBe(before + 1)
    expect(await verify([`${name}.pharos`])).toMatchObject({ code: 3 })
  })

  it.each(['asked', 'answered'] as const)('when one file was %s makes no item twice', async (moment) => {
    clear(/^0\.txt\.pharos/)
    writeFileSync(join(desk.folder, '0.txt'), `alone, ${moment}`)
    const before = await items()
    await killedBy(['0.txt'], moment, 'items')
    expect(await stamp(['0.txt'])).toMatchObject({ code: 0 })
    expect(await items()).toBe(before + 1)
  })
})

describe('a stamp without an account that is killed', { timeout: 300_000 }, () => {
  it.each([
    ['asked', 'many'],
    ['answered', 'many'],
    ['asked', '0.txt'],
    ['answered', '0.txt'],
  ] as const)('when it was %s about %s is made anew when it is called again', async (moment, name) => {
    clear(/\.pharos/)
    writeFileSync(join(desk.folder, '0.txt'), `of nobody, ${moment}`)
    key = undefined
    await killedBy([name], moment, '/stamp')
    expect(there(/\.pharos$/)).toEqual([])
    expect(await stamp([name])).toMatchObject({ code: 0 })
    expect(there(/\.pharos/)).toEqual([`${name}.pharos`])
    expect(await verify([`${name}.pharos`])).toMatchObject({ code: 3 })
  })
})

it('two runs of one stamp at the same time leave one manifest, and it is whole', {
  timeout: 300_000,
}, async () => {
  clear(/^many\./)
  const both = await Promise.all([stamp(['many']), stamp(['many'])])
  for (const { code, err } of both)
    if (code !== 0)
      expect([code, err]).toEqual([2, expect.stringMatching(/written by another|there already/)])
  expect(await stamp(['many'])).toMatchObject({ code: 0 })
  expect(there(/^many\.pharos/)).toEqual(['many.pharos'])
  const compared = await verify(['--manifest', 'many.pharos', 'many'])
  expect(compared.out).toContain(`${FILES} files unchanged, 0 changed, 0 missing, 0 new`)
})
