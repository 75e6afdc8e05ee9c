// Draws from a beacon: equal chances, the same winners from the same terms, and the programs that the article prints.
import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type Choice,
  draftFrom,
  drawAddress,
  drawFile,
  readDrawFile,
  termsOf,
} from '../../console-web/src/draw/draw_terms.ts'
import { type Participants, readParticipants } from '../../console-web/src/draw/participants.ts'
import { type DrawTerms, drawText, drawWinners } from '../../console-web/src/draw/recipe.ts'
import { makeTemporaryFolder } from '../support/temporary_folder.ts'

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex')
const BEACON = hashOf('a beacon')
const terms = (more: Partial<DrawTerms> = {}): DrawTerms => ({ label: '', list: null, n: 10, k: 3, ...more })

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

  it('hashes exactly the text that the page shows, and the recipe of this name never changes', () => {
    expect(drawText(terms({ label: 'Raffle' }), BEACON)).toBe(
      `pharos-draw-v1\nbeacon ${BEACON}\nlabel Raffle\nlist numbers\nn 10\nk 3\n`,
    )
    expect(drawWinners(terms({ label: 'Raffle' }), BEACON)).toEqual([...WINNERS])
    expect(drawText(terms({ list: hashOf('list') }), BEACON)).toBe(
      `pharos-draw-v1\nbeacon ${BEACON}\nlabel \nlist ${hashOf('list')}\nn 10\nk 3\n`,
    )
  })
})

/** Of the terms above: the recipe must not change without a new name. */
const WINNERS = [4, 1, 6] as const

describe('readParticipants', () => {
  const SPELLINGS: readonly [string, string, number][] = [
    ['Ada\nGrace\nAda\n', 'Ada\nGrace\nAda\n', 1],
    ['\uFEFF  Ada \r\n\r\n\tGrace\r\nAda', 'Ada\nGrace\nAda\n', 1],
    [' Ada \t King \r \n \t\r\n\u00A0x\u00A0\n', 'Ada \t King\n\u00A0x\u00A0\n', 0],
    ['a\rb\nhalf \ud800', 'a\rb\nhalf \ufffd\n', 0],
  ]

  it.each(SPELLINGS)('has one spelling for a list, however its lines end: %j', (pasted, text, repeated) => {
    const names = text.split('\n').slice(0, -1)
    expect(given(pasted)).toEqual({ names, text, hash: hashOf(text), repeated })
    expect(readParticipants(text, hashOf(text))).toEqual(given(pasted))
  })

  const REFUSED: readonly [string, string, string | null, RegExp][] = [
    ['nothing', ' \n ', null, /no lines yet/],
    ['nothing, where a hash is known', '', hashOf('Ada\n'), /Give the list/],
    ['another list', 'Grace', hashOf('Ada\n'), /not the list/],
    ['too many lines', 'x\n'.repeat(100_001), null, /more than 100,000 lines/],
    ['too many bytes', `${'x'.repeat(4_194_304)}\n`, null, /larger than 4 MiB/],
    ['too many bytes in UTF-8', `${'é'.repeat(2_097_152)}\n`, null, /larger than 4 MiB/],
    ['what was cut from a file', ' '.repeat(8_388_608), null, /larger than 4 MiB/],
  ]

  it.each(REFUSED)('refuses %s in plain words', (_, pasted, wanted, words) => {
    expect(readParticipants(pasted, wanted)).toEqual({ problem: expect.stringMatching(words) })
  })

  it('takes as many lines and bytes as may be', () => {
    expect(given('x\n'.repeat(100_000)).names).toHaveLength(100_000)
    expect(given(`${'x'.repeat(4_194_303)}\n`).names).toHaveLength(1)
  })
})

const given = (pasted: string): Participants => {
  const list = readParticipants(pasted, null)
  return 'problem' in list ? expect.fail(list.problem) : list
}

const queryOf = (address: string) => new URL(address, 'http://localhost').searchParams
const THIS: Choice = { kind: 'this', hash: BEACON }
const FIRST: Choice = { kind: 'first', at: '2027-01-01T12:00:00.000Z' }

/** What an address draws, as the page puts it together. */
const drawnBy = (query: string) => {
  const draft = draftFrom(new URLSearchParams(query))
  const list = draft.names === null ? null : given(draft.names)
  const checked = termsOf(draft, list)
  return 'problem' in checked ? expect.fail(checked.problem) : { draft, list, terms: checked }
}

describe('the terms of a draw', () => {
  const draft = { label: 'Café ☕', n: '1000', k: '3', names: null, list: null }

  it('stand in the address with the beacon, and come back from it', () => {
    const fixed = drawAddress(FIRST, draft, null)
    expect(fixed).toMatch(/^\/beacons\/next\/draw\?/)
    expect(queryOf(fixed).get('at')).toBe('2027-01-01T12:00:00.000Z')
    expect(draftFrom(queryOf(fixed))).toEqual(draft)
    expect(drawAddress(THIS, draft, null)).toMatch(`/beacons/${BEACON}/draw?`)
  })

  it('have the names in the address up to 1,500 characters, and else the hash of the list', () => {
    const most = { ...draft, n: '100', names: 'x'.repeat(1_500) }
    expect(draftFrom(queryOf(drawAddress(THIS, most, given(most.names))))).toEqual(most)
    const names = `${most.names}x`
    const address = drawAddress(THIS, { ...most, names }, given(names))
    expect(queryOf(address).get('list')).toBe(given(names).hash)
    expect(draftFrom(queryOf(address))).toEqual({ ...most, names: '', list: given(names).hash })
  })

  it('keep the hash in the address until the list of it is given', () => {
    const asked = { ...draft, names: 'Grace', list: hashOf('Ada\n') }
    expect(queryOf(drawAddress(THIS, asked, null)).get('list')).toBe(hashOf('Ada\n'))
    const right = { ...asked, names: 'Ada' }
    expect(queryOf(drawAddress(THIS, right, given('Ada'))).get('names')).toBe('Ada')
  })

  it('are refused with what to do', () => {
    for (const wrong of [{ n: '0' }, { n: '1000001' }, { n: '' }, { k: '0' }, { k: '1001' }, { k: '1.5' }])
      expect(termsOf({ ...draft, ...wrong }, null)).toHaveProperty('problem')
    for (const label of ['a\nb', ' a', 'x'.repeat(201), '\ud800'])
      expect(termsOf({ ...draft, label }, null)).toHaveProperty('problem')
    const names = 'Ada\nGrace'
    expect(termsOf({ ...draft, names, k: '3' }, given(names))).toHaveProperty('problem')
    expect(termsOf({ ...draft, names }, { problem: 'no' })).toEqual({ problem: 'no' })
  })
})

describe('an address or a file of an earlier release', () => {
  /** The query, what was drawn from it, and the SHA-256 of the file, all as that release made them. */
  const EARLIER: readonly [string, readonly (string | number)[], string][] = [
    [
      'k=2&names=Ada%0AGrace%0AKatherine',
      ['Grace', 'Ada'],
      '5ea83b3e86b4aa5c20063b789fe200637c306d32b5263d5059d4ac2e5d8cd65f',
    ],
    [
      'label=Raffle&k=3&names=Ada+Lovelace%0A%22Grace%22+%5C+Hopper%0A%EA%B9%80%EC%97%B0%EC%95%84%0AJos%C3%A9%0A%C3%85sa',
      ['Åsa', '김연아', 'José'],
      '78d5da7c208ae6ad003a54cdc295a8749509baa9c5745dba93485e6472c884a4',
    ],
    [
      'k=5&names=%EF%BB%BF+Ada+%0D%0A%0D%0A%09Grace%0D%0AAda%0AGrace%0AAda',
      ['Grace', 'Ada', 'Ada', 'Ada', 'Grace'],
      '692a41a4d409de5456ac99a6915613cbbbea7810cec7c9239db080d593a1047f',
    ],
    ['label=Caf%C3%A9&k=2&n=7', [4, 1], 'e59f77a30376ddeb57669f02a5637b16f60641dd8d2c8b48798e171a30728034'],
  ]

  it.each(EARLIER)('draws the same winners, and is the same now: %s', async (query, expected, hash) => {
    const { draft, list, terms: drawn } = drawnBy(query)
    const winners = drawWinners(drawn, BEACON).map((place) => list?.names[place - 1] ?? place)
    expect(winners).toEqual(expected)
    expect(drawAddress(THIS, draft, list)).toBe(`/beacons/${BEACON}/draw?${query}`)

    const file = await drawFile(drawn, { choice: THIS, list, beacon: BEACON }).text()
    expect(hashOf(file)).toBe(hash)
    const opened = readDrawFile(file) ?? expect.fail('not opened')
    expect(opened.choice).toEqual(THIS)
    const { names, list: wanted } = opened.draft
    const again = termsOf(opened.draft, names === null ? null : readParticipants(names, wanted))
    expect(again).toEqual(drawn)
  })

  it('of a beacon that does not exist yet waits for it', async () => {
    const { list, terms: drawn } = drawnBy('k=1&names=Ada%0AGrace')
    const file = await drawFile(drawn, { choice: FIRST, list, beacon: null }).text()
    expect(JSON.parse(file)).toMatchObject({ beacon: null, winners: null, participants: ['Ada', 'Grace'] })
    expect(readDrawFile(file)?.choice).toEqual(FIRST)
  })

  it('is not taken for one when it is something else', async () => {
    const { list, terms: drawn } = drawnBy('k=1&names=Ada')
    const file = JSON.parse(await drawFile(drawn, { choice: THIS, list, beacon: BEACON }).text())
    for (const other of ['', '{}', '5', 'Ada\nGrace', JSON.stringify({ ...file, recipe: 'another' })])
      expect(readDrawFile(other)).toBeNull()
    for (const beacon of [null, 'next', `${BEACON}/..`])
      expect(readDrawFile(JSON.stringify({ ...file, beacon }))).toBeNull()
  })

  it('whose participants are not those of its hash is refused', async () => {
    const { list, terms: drawn } = drawnBy('k=1&names=Ada')
    const file = await drawFile(drawn, { choice: THIS, list, beacon: BEACON }).text()
    const { draft } = readDrawFile(file.replace('"Ada"', '"Eve"')) ?? expect.fail('not opened')
    expect(draft.names).toBe('Eve')
    expect(readParticipants(draft.names ?? '', draft.list)).toHaveProperty('problem')
  })
})

describe('the programs that the article prints', () => {
  const ARTICLE = readFileSync('server/domain/knowledge/articles/beacons.md', 'utf8')
  const printed = (name: string): string =>
    new RegExp(`\`\`\`\\w+ ${name.replace('.', '\\.')}\\n([\\s\\S]*?)\`\`\``).exec(ARTICLE)?.[1] ??
    expect.fail(`no ${name}`)

  const drawn = terms({ label: 'A "quoted" \\ label, ☕', n: 1_000, k: 7 })
  const names = ['Ada Lovelace', '"Grace" \\ Hopper', '김연아', 'José', 'Åsa']
  const { hash: list } = given(names.join('\n'))
  const ofNames = terms({ label: 'Raffle', list, n: names.length, k: 3 })
  /** As the programs of earlier releases drew them. */
  const LISTED = ['5 Åsa', '3 김연아', '4 José']
  const cases: [string, string, readonly string[]][] = [
    ['numbers', drawText(drawn, BEACON), drawWinners(drawn, BEACON).map(String)],
    ['a list', drawText(ofNames, BEACON), LISTED],
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
