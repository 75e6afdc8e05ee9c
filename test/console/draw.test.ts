// Draws from a beacon: equal chances, the same winners from the same terms, and the programs shown on the page.
import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { nodeCode, pythonCode } from '../../console-web/src/draw/draw_code.ts'
import { draftFrom, drawFile, queryOf, readDrawFile, termsOf } from '../../console-web/src/draw/draw_terms.ts'
import { readParticipants } from '../../console-web/src/draw/participants.ts'
import {
  type DrawTerms,
  drawText,
  drawWinners,
  numberBelow,
  numbersFrom,
} from '../../console-web/src/draw/recipe.ts'
import { makeTemporaryFolder } from '../support/temporary_folder.ts'

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex')
const BEACON = hashOf('a beacon')
const withFolder = async (use: (folder: string) => void): Promise<void> => {
  const folder = await makeTemporaryFolder('pharos-draw-')
  try {
    use(folder)
  } finally {
    await rm(folder, { recursive: true })
  }
}
const terms = (more: Partial<DrawTerms> = {}): DrawTerms => ({ label: '', list: null, n: 10, k: 3, ...more })

describe('drawWinners', () => {
  it('draws k different places from 1 to n, and the same ones again', () => {
    fc.assert(
      fc.property(
        fc
          .integer({ min: 1, max: 300 })
          .chain((n) => fc.tuple(fc.constant(n), fc.integer({ min: 1, max: n }))),
        fc.string(),
        ([n, k], label) => {
          const drawn = drawWinners(terms({ n, k, label }), BEACON)
          expect(new Set(drawn).size).toBe(k)
          expect(drawn.every((place) => place >= 1 && place <= n)).toBe(true)
          expect(drawWinners(terms({ n, k, label }), BEACON)).toEqual(drawn)
        },
      ),
    )
  })

  it('gives every place and every order the same chance', () => {
    const DRAWS = 12_000
    const tally = new Map<string, number>()
    for (let i = 0; i < DRAWS; i += 1) {
      const order = drawWinners(terms({ n: 4, k: 2 }), hashOf(`beacon ${i}`)).join()
      tally.set(order, (tally.get(order) ?? 0) + 1)
    }
    expect(tally.size).toBe(12)
    const expected = DRAWS / 12
    const chi = [...tally.values()].reduce((sum, seen) => sum + (seen - expected) ** 2 / expected, 0)
    // The 99.99th percentile with 11 degrees of freedom. The beacons are fixed, so this never changes.
    expect(chi).toBeLessThan(37.4)
  })

  it('draws other winners for every other term', () => {
    const base = terms({ n: 1_000_000, k: 2 })
    const others = [
      drawWinners(base, BEACON),
      drawWinners(base, hashOf('another')),
      drawWinners({ ...base, label: 'Raffle' }, BEACON),
      drawWinners({ ...base, list: hashOf('list') }, BEACON),
      drawWinners({ ...base, n: 999_999 }, BEACON),
      drawWinners({ ...base, k: 3 }, BEACON),
    ]
    expect(new Set(others.map((one) => one.slice(0, 2).join())).size).toBe(others.length)
  })

  it('draws the only one, everybody, and from a million', () => {
    expect(drawWinners(terms({ n: 1, k: 1 }), BEACON)).toEqual([1])
    const all = drawWinners(terms({ n: 50, k: 50 }), BEACON)
    expect(all.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 50 }, (_, index) => index + 1))
    expect(drawWinners(terms({ n: 1_000_000, k: 1_000 }), BEACON)).toHaveLength(1_000)
  })

  it('passes over the numbers that would favour some results', () => {
    const feed =
      (...numbers: number[]) =>
      () =>
        numbers.shift() ?? Number.NaN
    expect(numberBelow(3, feed(2 ** 32 - 1, 5))).toBe(2)
    expect(numberBelow(3, feed(2 ** 32 - 2))).toBe(2)
    expect(numberBelow(1_000_000, feed(4_294_000_000, 4_293_999_999))).toBe(999_999)
    expect(numberBelow(1, feed(2 ** 32 - 1))).toBe(0)
  })

  it('reads the numbers from SHA-256 of the seed and a counter', () => {
    const seed = new Uint8Array(32).fill(7)
    const next = numbersFrom(seed)
    const first = createHash('sha256').update(seed).update(Buffer.alloc(8)).digest()
    const second = createHash('sha256').update(seed).update(Buffer.from('0000000000000001', 'hex')).digest()
    const expected = [first, second].flatMap((block) =>
      Array.from({ length: 8 }, (_, index) => block.readUInt32BE(4 * index)),
    )
    expect(Array.from({ length: 16 }, next)).toEqual(expected)
  })

  it('hashes exactly the text that the page shows', () => {
    expect(drawText(terms({ label: 'Raffle' }), BEACON)).toBe(
      `pharos-draw-v1\nbeacon ${BEACON}\nlabel Raffle\nlist numbers\nn 10\nk 3\n`,
    )
    expect(drawWinners(terms({ label: 'Raffle' }), BEACON)).toEqual([...WINNERS])
  })
})

/** Of the terms above: the recipe must not change without a new name. */
const WINNERS = [4, 1, 6] as const

describe('readParticipants', () => {
  it('has one spelling for a list, however its lines end', () => {
    const list = readParticipants('Ada\nGrace\nAda\n')
    const same = readParticipants('\uFEFF  Ada \r\n\r\n\tGrace\r\nAda')
    expect(same).toEqual(list)
    expect(list).toMatchObject({
      names: ['Ada', 'Grace', 'Ada'],
      hash: hashOf('Ada\nGrace\nAda\n'),
      repeated: 1,
    })
  })

  it('says why there is no list', () => {
    expect(readParticipants(' \n ')).toHaveProperty('problem')
    expect(readParticipants('x\n'.repeat(100_001))).toHaveProperty('problem')
    expect(readParticipants(`${'x'.repeat(4_194_304)}\n`)).toHaveProperty('problem')
  })
})

describe('the terms of a draw', () => {
  const draft = { label: 'Café ☕', n: '1000', k: '3', names: null, list: null }
  const AT = '2027-01-01T12:00:00.000Z'

  it('stand in the address and in a file, and come back from both', () => {
    expect(draftFrom(new URLSearchParams(queryOf(draft, null, AT)))).toEqual(draft)
    const named = { ...draft, n: '100', names: 'Ada\nGrace', k: '1' }
    const hash = hashOf('Ada\nGrace\n')
    expect(draftFrom(new URLSearchParams(queryOf(named, hash, null)))).toEqual(named)
    const long = { ...named, names: 'Somebody\n'.repeat(400) }
    expect(draftFrom(new URLSearchParams(queryOf(long, hash, null)))).toEqual({
      ...named,
      names: '',
      list: hash,
    })
    const checked = termsOf(named, { hash, count: 2 })
    if (!('terms' in checked)) throw new Error(checked.problem)
    const file = drawFile(checked.terms, { at: AT, beacon: BEACON, names: ['Ada', 'Grace'], winners: [2] })
    expect(readDrawFile(file)).toEqual({ draft: { ...named, n: '2', list: hash }, at: AT, beacon: BEACON })
    expect(readDrawFile('{}')).toBeNull()
  })

  it('are refused with what to do', () => {
    for (const wrong of [{ n: '0' }, { n: '1000001' }, { n: '' }, { k: '0' }, { k: '1001' }, { k: '1.5' }])
      expect(termsOf({ ...draft, ...wrong }, null)).toHaveProperty('problem')
    for (const label of ['a\nb', ' a', 'x'.repeat(201), '\ud800'])
      expect(termsOf({ ...draft, label }, null)).toHaveProperty('problem')
  })
})

describe('the programs on the page', () => {
  const list = readParticipants('Ada Lovelace\n"Grace" \\ Hopper\n김연아\nJosé\nÅsa\n')
  if ('problem' in list) throw new Error(list.problem)
  const cases: [string, DrawTerms][] = [
    ['numbers', terms({ label: 'A "quoted" \\ label, ☕', n: 1_000, k: 7 })],
    ['a list', terms({ label: 'Raffle', n: 5, k: 3, list: list.hash })],
  ]
  const expectedOf = (drawn: DrawTerms): string[] =>
    drawWinners(drawn, BEACON).map((place) =>
      drawn.list === null ? `${place}` : `${place} ${list.names[place - 1]}`,
    )
  const hasPython = spawnSync('python3', ['--version']).status === 0

  it.each(cases)('in JavaScript draw the same winners from %s', (_, drawn) =>
    withFolder((folder) => {
      writeFileSync(join(folder, 'participants.txt'), list.text)
      writeFileSync(join(folder, 'draw.mjs'), nodeCode(drawn, BEACON))
      const out = execFileSync(process.execPath, ['draw.mjs'], {
        cwd: folder,
        encoding: 'utf8',
        timeout: 100_000,
      })
      expect(out.trimEnd().split('\n')).toEqual(expectedOf(drawn))
    }),
  )

  it.skipIf(!hasPython).each(cases)('in Python draw the same winners from %s', (_, drawn) =>
    withFolder((folder) => {
      writeFileSync(join(folder, 'participants.txt'), `\uFEFF${list.text.replaceAll('\n', '\r\n')}`)
      writeFileSync(join(folder, 'draw.py'), pythonCode(drawn, BEACON))
      const env = { ...process.env, PYTHONIOENCODING: 'utf-8' }
      const out = execFileSync('python3', ['draw.py'], {
        cwd: folder,
        encoding: 'utf8',
        timeout: 100_000,
        env,
      })
      expect(out.trimEnd().split('\n')).toEqual(expectedOf(drawn))
    }),
  )
})
