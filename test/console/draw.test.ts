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
  it('draws k different places from 1 to n, also the only one, everybody and from a million, and the same ones again', () => {
    const sizes = fc
      .integer({ min: 1, max: 300 })
      .chain((n) => fc.tuple(fc.constant(n), fc.integer({ min: 1, max: n })))
    const draws = fc.property(sizes, fc.string(), ([n, k], label) => {
      const drawn = drawWinners(terms({ n, k, label }), BEACON)
      expect([drawn.length, new Set(drawn).size]).toEqual([k, k])
      expect(drawn.every((place) => place >= 1 && place <= n)).toBe(true)
      expect(drawWinners(terms({ n, k, label }), BEACON)).toEqual(drawn)
    })
    fc.assert(draws, {
      examples: [
        [[1, 1], ''],
        [[50, 50], ''],
        [[1_000_000, 1_000], ''],
      ],
    })
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

  it('draws other winners for every other term, and from another beacon', () => {
    const base = terms({ n: 1_000_000, k: 2 })
    const changed = [{}, { label: 'Raffle' }, { n: 999_999 }, { k: 3 }].map((more) =>
      drawWinners({ ...base, ...more }, BEACON),
    )
    const all = [...changed, drawWinners(base, hashOf('another'))].map((one) => one.slice(0, 2).join())
    expect(new Set(all).size).toBe(5)
  })

  it('hashes exactly the text that the page shows, and the recipe of this name never changes', () => {
    expect(drawText(terms({ label: 'Raffle' }), BEACON)).toBe(
      `pharos-draw-v1\nbeacon ${BEACON}\nlabel Raffle\nlist numbers\nn 10\nk 3\n`,
    )
    expect(drawWinners(terms({ label: 'Raffle' }), BEACON)).toEqual([4, 1, 6])
  })
})

describe('the terms of a draw', () => {
  const draft = { label: 'Café ☕', n: '1000', k: '3' }

  it('stand in the address with the beacon, and come back from it', () => {
    const at = '2027-01-01T12:00:00.000Z'
    const fixed = new URL(drawAddress({ kind: 'first', at }, draft), 'http://localhost')
    expect([fixed.pathname, fixed.searchParams.get('at')]).toEqual(['/beacons/next/draw', at])
    expect(draftFrom(fixed.searchParams)).toEqual(draft)
    expect(drawAddress({ kind: 'this', hash: BEACON }, draft)).toMatch(`/beacons/${BEACON}/draw?`)
  })

  it('of an address that names a list are not taken for numbers', () => {
    const queries = ['k=1&names=Ada%0AGrace', `k=1&list=${BEACON}`, 'k=1&n=2']
    expect(queries.map((query) => namesList(new URLSearchParams(query)))).toEqual([true, true, false])
  })

  it.each([
    ...['0', '1000001', ''].map((n) => ({ n })),
    ...['0', '1001', '1.5'].map((k) => ({ k })),
    ...['a\nb', ' a', 'x'.repeat(201), '\ud800'].map((label) => ({ label })),
  ])('are refused with what to do: %j', (wrong) => {
    expect(termsOf({ ...draft, ...wrong })).toHaveProperty('problem')
  })
})

describe('the programs that the article prints', () => {
  const ARTICLE = readFileSync('server/domain/knowledge/articles/beacons.md', 'utf8')
  const printed = (name: string): string =>
    new RegExp(`\`\`\`\\w+ ${name.replace('.', '\\.')}\\n([\\s\\S]*?)\`\`\``).exec(ARTICLE)?.[1] ??
    expect.fail(`no ${name}`)

  const drawn = terms({ label: 'A "quoted" \\ label, ☕', n: 1_000, k: 7 })
  const names = ['Ada Lovelace', '"Grace" \\ Hopper', '김연아', 'José', 'Åsa']
  const list = hashOf(names.map((name) => `${name}\n`).join(''))
  const ofNames = drawText(terms({ label: 'Raffle', n: names.length, k: 3 }), BEACON)
  const cases: [string, string, readonly string[]][] = [
    ['numbers', drawText(drawn, BEACON), drawWinners(drawn, BEACON).map(String)],
    // As the programs of earlier releases drew them.
    ['a list', ofNames.replace('list numbers', `list ${list}`), ['5 Åsa', '3 김연아', '4 José']],
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

  describe.each([
    ['JavaScript', 'draw.mjs', process.execPath],
    ['Python', 'draw.py', 'python3'],
  ])('in %s', (_, name, command) => {
    const isThere = spawnSync(command, ['--version']).status === 0
    it.skipIf(!isThere).each(cases)('draw the winners of the recipe from %s', async (_, text, expected) => {
      expect(await run(name, command, text)).toEqual(expected)
    })
  })
})
