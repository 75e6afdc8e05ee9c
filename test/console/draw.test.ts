// Draws from a beacon: equal chances, the same winners from the same terms, and the programs that the article prints.
import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { draftFrom, drawAddress, namesList, termsOf } from '../../console-web/src/draw/draw_terms.ts'
import { type DrawTerms, drawText, drawWinners } from '../../console-web/src/draw/recipe.ts'
import { makeTemporaryFolder } from '../support/temporary_folder.ts'

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex')
const BEACON = hashOf('a beacon')
const terms = (more: Partial<DrawTerms> = {}): DrawTerms => ({ label: '', n: 10, k: 3, ...more })

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

  it('hashes exactly the text that the page shows', () => {
    expect(drawText(terms({ label: 'Raffle' }), BEACON)).toBe(
      `pharos-draw-v1\nbeacon ${BEACON}\nlabel Raffle\nlist numbers\nn 10\nk 3\n`,
    )
    expect(drawWinners(terms({ label: 'Raffle' }), BEACON)).toEqual([...WINNERS])
  })
})

/** Of the terms above: the recipe must not change without a new name. */
const WINNERS = [4, 1, 6] as const

describe('the terms of a draw', () => {
  const draft = { label: 'Café ☕', n: '1000', k: '3' }
  const queryOf = (address: string) => new URL(address, 'http://localhost').searchParams

  it('stand in the address with the beacon, and come back from it', () => {
    const at = '2027-01-01T12:00:00.000Z'
    const fixed = drawAddress({ kind: 'first', at }, draft)
    expect(fixed).toMatch(/^\/beacons\/next\/draw\?/)
    expect(queryOf(fixed).get('at')).toBe(at)
    expect(draftFrom(queryOf(fixed))).toEqual(draft)
    expect(drawAddress({ kind: 'this', hash: BEACON }, draft)).toMatch(`/beacons/${BEACON}/draw?`)
  })

  it('of an address that names a list are not taken for numbers', () => {
    for (const query of ['k=1&names=Ada%0AGrace', `k=1&list=${BEACON}`])
      expect(namesList(new URLSearchParams(query))).toBe(true)
    expect(namesList(new URLSearchParams('k=1&n=2'))).toBe(false)
  })

  it('are refused with what to do', () => {
    for (const wrong of [{ n: '0' }, { n: '1000001' }, { n: '' }, { k: '0' }, { k: '1001' }, { k: '1.5' }])
      expect(termsOf({ ...draft, ...wrong })).toHaveProperty('problem')
    for (const label of ['a\nb', ' a', 'x'.repeat(201), '\ud800'])
      expect(termsOf({ ...draft, label })).toHaveProperty('problem')
  })
})

describe('the programs that the article prints', () => {
  const ARTICLE = readFileSync('server/domain/knowledge/articles/beacons.md', 'utf8')
  const printed = (name: string): string =>
    new RegExp(`\`\`\`\\w+ ${name.replace('.', '\\.')}\\n([\\s\\S]*?)\`\`\``).exec(ARTICLE)?.[1] ??
    expect.fail(`no ${name}`)

  const drawn = terms({ label: 'A "quoted" \\ label, ☕', n: 1_000, k: 7 })
  const names = ['Ada Lovelace', '"Grace" \\ Hopper', '김연아', 'José', 'Åsa']
  const ofNames = terms({ label: 'Raffle', n: names.length, k: 3 })
  const list = hashOf(names.map((name) => `${name}\n`).join(''))
  const listed = drawText(ofNames, BEACON).replace('list numbers', `list ${list}`)
  /** As the programs of earlier releases drew them. */
  const LISTED = ['5 Åsa', '3 김연아', '4 José']
  const cases: [string, string, readonly string[]][] = [
    ['numbers', drawText(drawn, BEACON), drawWinners(drawn, BEACON).map(String)],
    ['a list', listed, LISTED],
  ]

  const run = async (name: string, command: string, text: string): Promise<string[]> => {
    const cwd = await makeTemporaryFolder('pharos-draw-')
    try {
      writeFileSync(join(cwd, name), printed(name))
      writeFileSync(join(cwd, 'terms.txt'), text)
      writeFileSync(join(cwd, 'participants.txt'), `\uFEFF${names.join(' \r\n\r\n')}\r\n`)
      const env = { ...process.env, PYTHONIOENCODING: 'utf-8' }
      const out = execFileSync(command, [name], { cwd, encoding: 'utf8', timeout: 100_000, env })
      return out.trimEnd().split('\n')
    } finally {
      await rm(cwd, { recursive: true })
    }
  }

  it.each(cases)('in JavaScript draw the winners of the recipe from %s', async (_, text, expected) => {
    expect(await run('draw.mjs', process.execPath, text)).toEqual(expected)
  })

  const hasPython = spawnSync('python3', ['--version']).status === 0
  it.skipIf(!hasPython).each(cases)(
    'in Python draw the winners of the recipe from %s',
    async (_, text, expected) => {
      expect(await run('draw.py', 'python3', text)).toEqual(expected)
    },
  )
})
