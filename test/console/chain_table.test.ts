// What the table and the plots of the chain say of each block, and what the address of a range is.
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import type { Block } from '../../console-web/src/blocks/block.ts'
import type { Proofs } from '../../console-web/src/chain/block_prover.ts'
import {
  deviationOf,
  pointsOf,
  shortDuration,
  signedDuration,
  summaryOf,
} from '../../console-web/src/chain/chain_series.ts'
import { COLUMNS, factsOf } from '../../console-web/src/chain/columns.tsx'
import { chainAddress, rangeIn, rangeOf, rangeWords, walkIn } from '../../console-web/src/chain/time_range.ts'
import { explorerLink } from '../../console-web/src/commitments/commitment_list.tsx'
import { carriedBy, type Epoch } from '../../console-web/src/commitments/epoch.ts'
import type { Beacon } from '../../shared/wire/console_stream.ts'

const MINUTE = 60_000
const BEGIN = Date.UTC(2027, 0, 1)

const hashAt = (height: number): string => height.toString(16).padStart(64, '0')

/** Ids sort as heights do. */
const beaconAt = (height: number): Beacon => ({
  id: `id-${String(height).padStart(4, '0')}`,
  hash: hashAt(height),
  timestamp: new Date(BEGIN + height * MINUTE).toISOString(),
  previous_hash: hashAt(height - 1),
})

const blockAt = (height: number, more: Partial<Block> = {}): Block => ({
  ...beaconAt(height),
  height,
  merkleRoot: '',
  metadata: {},
  metadataHash: '',
  keyId: '',
  state: 'finalized',
  itemCount: height,
  observationCount: 0,
  committedAt: null,
  raw: {},
  ...more,
})

const rows = [5, 4, 3, 2, 1].map(beaconAt)
const proofsOf = (...blocks: Block[]): Proofs =>
  new Map(blocks.map((block) => [block.id, { block, recomputation: { ok: true, steps: [] } }]))
const epoch = (first: number, last: number, more: Partial<Epoch> = {}): Epoch => ({
  id: `epoch-${first}`,
  sequence: first,
  firstId: beaconAt(first).id,
  lastId: beaconAt(last).id,
  blocks: last - first + 1,
  root: '',
  closedAt: beaconAt(last).timestamp,
  chain: 'bitcoin',
  network: 'mainnet',
  state: 'confirmed',
  confirmedAt: new Date(BEGIN + 10 * MINUTE).toISOString(),
  ...more,
})
const factsAt = (
  index: number,
  shown: readonly Beacon[],
  proofs: Proofs = new Map(),
  epochs: readonly Epoch[] = [],
) => {
  const beacon = shown[index]
  if (beacon === undefined) throw new Error('no row')
  return factsOf({ rows: shown, proofs, conflicts: new Set() }, beacon, index, epochs)
}

/** As the table shows it. */
const cellAt = (
  key: string,
  index: number,
  shown: readonly Beacon[],
  ...more: readonly [Proofs?, Epoch[]?]
) => {
  const beacon = shown[index]
  if (beacon === undefined) throw new Error('no row')
  const facts = factsAt(index, shown, ...more)
  return renderToStaticMarkup(COLUMNS.find((column) => column.key === key)?.cell({ ...facts, beacon }))
}

describe('a row of the chain', () => {
  it('says what was read, and nothing of what was not', () => {
    expect(factsAt(0, rows, proofsOf(blockAt(5)))).toEqual({
      height: 5,
      intervalMs: MINUTE,
      items: 5,
      stage: 'waiting',
      chains: undefined,
      check: 'proven',
      above: undefined,
    })
    expect(factsAt(0, rows)).toMatchObject({
      height: null,
      items: null,
      stage: null,
    })
    expect(factsAt(4, rows)).toMatchObject({ intervalMs: null })
  })

  it('has its date where that changes, and in the first row', () => {
    const midnight = Date.UTC(2027, 0, 2)
    const around = [2, 1, 0, -1, -2].map((minutes) => ({
      ...beaconAt(10 + minutes),
      timestamp: new Date(midnight + minutes * MINUTE).toISOString(),
    }))
    const days = around.map((_, index) => /<small class="">([^<]*)/.exec(cellAt('time', index, around))?.[1])
    expect(days).toEqual(['2027-01-02 ', undefined, undefined, '2027-01-01 ', undefined])
  })

  it('counts a height from an older block only while the links hold', () => {
    const proofs = proofsOf(blockAt(3))
    expect(factsAt(0, rows, proofs).height).toBe(5)
    const broken = rows.map((row, index) => (index === 1 ? { ...row, previous_hash: hashAt(99) } : row))
    expect(factsAt(0, broken, proofs).height).toBeNull()
    expect(factsAt(2, broken, proofs).height).toBe(3)
  })

  it('is on its chains, by their names, as soon as an epoch that holds it is confirmed', () => {
    const epochs = [
      epoch(1, 3),
      epoch(2, 4, {
        chain: 'stellar',
        network: 'public',
        confirmedAt: new Date(BEGIN + 9 * MINUTE).toISOString(),
      }),
      epoch(4, 5, { state: 'submitted', confirmedAt: null }),
    ]
    expect(carriedBy(epochs, beaconAt(3).id)).toEqual({
      chains: 'Bitcoin and Stellar',
      since: new Date(BEGIN + 9 * MINUTE).toISOString(),
    })
    expect(carriedBy(epochs, beaconAt(5).id)).toEqual({ chains: undefined, since: null })
    const stateAt = (index: number, block: Block) => cellAt('state', index, rows, proofsOf(block), epochs)
    expect(stateAt(2, blockAt(3))).toBe('<span data-stage="ready">on Bitcoin and Stellar</span>')
    expect(stateAt(0, blockAt(5))).toBe('<span data-stage="waiting">in the chain</span>')
    expect(stateAt(0, blockAt(5, { state: 'committed' }))).toBe('<span data-stage="ready">on a chain</span>')
  })
})

describe('the plots', () => {
  it('have one value for each block, oldest first, and none where nothing is known', () => {
    const proofs = proofsOf(
      blockAt(5),
      blockAt(2, { committedAt: new Date(BEGIN + 6 * MINUTE).toISOString() }),
    )
    const points = pointsOf(rows, proofs, [epoch(3, 4)])
    expect(points.map(({ time }) => time)).toEqual(
      [1, 2, 3, 4, 5].map((height) => (BEGIN + height * MINUTE) / 1_000),
    )
    expect(points.map(({ intervalMs }) => intervalMs)).toEqual([null, MINUTE, MINUTE, MINUTE, MINUTE])
    expect(points.map(({ items }) => items)).toEqual([null, 2, null, null, 5])
    expect(points.map(({ delayMs }) => delayMs)).toEqual([null, 4 * MINUTE, 7 * MINUTE, 6 * MINUTE, null])
  })

  it('are summed up in words that do not count what is unknown', () => {
    expect(summaryOf([null, 3, 1, null, 2, 9])).toEqual({ known: 4, p50: 2, p95: 9, most: 9 })
    const hundred = Array.from({ length: 100 }, (_, index) => index + 1)
    expect(summaryOf(hundred)).toEqual({ known: 100, p50: 50, p95: 95, most: 100 })
    expect(deviationOf([60_000, null, 61_500, 59_600, 60_000]).map((ms) => ms && signedDuration(ms))).toEqual(
      [0, null, '+1.5 s', '−400 ms', 0],
    )
    expect(summaryOf([null])).toBeNull()
    expect(
      [0, 5, 400, 2_500, 48_000, 90_000, 600_000, 5_400_000, 7_200_000, 2 * 86_400_000].map(shortDuration),
    ).toEqual(['0 s', '5 ms', '400 ms', '2.5 s', '48 s', '90 s', '10 min', '90 min', '2 h', '2 d'])
  })
})

describe('the address of the table', () => {
  it('names the range, the walk and the beacon, and is read back', () => {
    const range = rangeOf(BEGIN, BEGIN + MINUTE)
    const address = chainAddress(hashAt(1), { range, walk: '12' })
    const { pathname, searchParams } = new URL(address, 'http://localhost')
    expect(pathname).toBe(`/beacons/${hashAt(1)}`)
    expect(rangeIn(searchParams)).toEqual(range)
    expect(walkIn(searchParams)).toBe('12')
    expect(chainAddress(null, { range: null, walk: null })).toBe('/chain')
    expect(rangeWords(range)).toBe('2027-01-01 00:00:00 to 00:01:00 UTC')
  })

  it('takes two times in any order, and nothing that is no time', () => {
    expect(rangeIn(new URLSearchParams('from=2027-01-02T00:00:00Z&to=2027-01-01T00:00:00Z'))).toEqual(
      rangeOf(BEGIN, BEGIN + 86_400_000),
    )
    for (const query of ['', 'from=2027-01-01', 'from=x&to=y'])
      expect(rangeIn(new URLSearchParams(query))).toBeNull()
    expect(walkIn(new URLSearchParams('walk=-1'))).toBeNull()
  })
})

describe('the link of a transaction', () => {
  it('leads to a public place where there is one, and nowhere for a development chain', () => {
    expect(explorerLink('bitcoin', 'mainnet', hashAt(7))).toMatch(/^https:\/\/.+\/tx\/0{63}7$/)
    expect(explorerLink('stellar', 'testnet', hashAt(7))).toContain('testnet')
    expect(explorerLink('bitcoin', 'regtest', hashAt(7))).toBeNull()
    expect(explorerLink('bitcoin', 'mainnet', 'javascript:alert(1)')).toBeNull()
  })
})
