// Captures: one per slot whoever comes first, each pulse recorded once, and nobody waits for a source that is away.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { captureEntropy, sourceStates } from '../../../server/domain/entropy/capture_entropy.ts'
import { SOURCES } from '../../../server/domain/entropy/source.ts'
import { auditLedger } from '../../../server/domain/ledger/audit/audit_ledger.ts'
import { canonicalJson } from '../../../shared/proof/json_value.ts'
import { type AnsweringServer, openAnsweringServer } from '../../support/answering_server.ts'
import {
  bitcoinAnswers,
  nistAnswers,
  type SourceAnswers,
  stellarAnswers,
} from '../../support/entropy_answers.ts'
import { rows } from '../../support/rows.ts'
import { testLedger } from '../../support/test_ledger.ts'

const ledger = testLedger()
let world: AnsweringServer
let slot = 0

beforeAll(async () => {
  world = await openAnsweringServer()
})
afterAll(() => world.close())
beforeEach(async () => {
  world.answers.clear()
  world.asked.length = 0
  await query('DELETE FROM entropy_sources')
})

const query = <Row>(text: string): Promise<Row[]> => rows<Row>(ledger.store.em(), text)
const tell = (...told: readonly SourceAnswers[]): void => {
  for (const { answers } of told) for (const [path, answer] of answers) world.answers.set(path, answer)
}
const sources = () =>
  [SOURCES.nist, SOURCES.stellar, SOURCES.bitcoin].map((source) => ({ source, address: world.address }))

interface Turn {
  slot?: number
  timeoutMs?: number
  signal?: AbortSignal
}

/** One server's turn; in a slot of its own unless it is given one. */
const capture = async (turn: Turn = {}) => {
  const { slot: given, timeoutMs = 20_000, signal } = turn
  slot += 1
  const outcomes = await captureEntropy(
    {
      em: ledger.store.em,
      signer: ledger.signer,
      sources: sources(),
      timeoutMs,
      ...(signal === undefined ? {} : { signal }),
    },
    { slot: given ?? slot, nowMs: Date.now() },
  )
  return Object.fromEntries(outcomes.map(({ source, outcome, news }) => [source, { outcome, news }]))
}
const states = async () =>
  Object.fromEntries((await sourceStates(ledger.store.em(), sources())).map((state) => [state.source, state]))

describe('what is recorded', () => {
  it('the payload as the source printed it, its time, and a fact for whoever listens', async () => {
    tell(nistAnswers(), stellarAnswers(), bitcoinAnswers())
    expect(await capture()).toEqual({
      entropy_nist: { outcome: 'recorded', news: false },
      entropy_stellar: { outcome: 'recorded', news: false },
      entropy_bitcoin: { outcome: 'recorded', news: false },
    })
    const stored = await query<{ source: string; entropy: string; at: string; method: string }>(
      'SELECT source, entropy, iso_time(source_published_at) AS at, capture_method AS method FROM entropy_observations ORDER BY source',
    )
    expect(stored).toEqual(
      [bitcoinAnswers(), nistAnswers(), stellarAnswers()].map((told, index) => ({
        source: ['entropy_bitcoin', 'entropy_nist', 'entropy_stellar'][index],
        entropy: canonicalJson(told.payload),
        at: told.publishedAt,
        method: 'poll',
      })),
    )
    expect(await query(`SELECT DISTINCT subject_id FROM facts WHERE kind = 'entropy.created'`)).toHaveLength(
      3,
    )
  })

  it('the same pulse, ledger or block once, also when two servers see it at the same moment', async () => {
    tell(nistAnswers(1))
    const before = await query('SELECT 1 FROM entropy_observations')
    const seen = await Promise.all([1, 2, 3, 4].map((each) => capture({ slot: 1_000 + each })))
    const told = seen.flatMap(({ entropy_nist }) => entropy_nist?.outcome ?? [])
    expect(told.filter((outcome) => outcome === 'recorded')).toHaveLength(1)
    expect(told.every((outcome) => outcome === 'recorded' || outcome === 'known')).toBe(true)
    expect((await capture({ slot: 2_000 })).entropy_nist).toEqual({ outcome: 'known', news: false })
    expect(await query('SELECT 1 FROM entropy_observations')).toHaveLength(before.length + 1)
  })

  it('witnesses of the items that follow, and leaves of the next block, which verifies', async () => {
    tell(nistAnswers(2), stellarAnswers(), bitcoinAnswers())
    await capture()
    const [item] = await ledger.submit({})
    const witnesses = await query<{ source: string; hash: string }>(
      `SELECT DISTINCT ON (source) source, encode(entropy_hash, 'hex') AS hash
         FROM entropy_observations ORDER BY source, id DESC`,
    )
    expect(witnesses).toHaveLength(3)
    expect(JSON.parse(item?.metadata ?? '')).toEqual({
      witnesses: {
        block: expect.stringMatching(/^[0-9a-f]{64}$/),
        ...Object.fromEntries(witnesses.map(({ source, hash }) => [source, hash])),
      },
    })
    const block = await ledger.finalize()
    expect(block).toMatchObject({ outcome: 'finalized' })
    expect(
      await query(`SELECT 1 FROM entropy_observations WHERE block_id IS NULL OR state <> 'committed'`),
    ).toEqual([])
    expect(await auditLedger({ em: ledger.store.em() })).toMatchObject({ passed: true })
  })
})

describe('whose turn it is', () => {
  it('of many servers in one slot, one asks each source, once', async () => {
    tell(nistAnswers(3), stellarAnswers(), bitcoinAnswers())
    const seen = await Promise.all([1, 2, 3, 4, 5].map(() => capture({ slot: 5_000 })))
    expect(seen.flatMap((outcomes) => Object.keys(outcomes)).toSorted()).toEqual([
      'entropy_bitcoin',
      'entropy_nist',
      'entropy_stellar',
    ])
    expect(world.asked).toHaveLength(4)
    expect(await capture({ slot: 4_999 })).toEqual({})
  })
})

describe('a source that is away', () => {
  it('is left out, and is news when it begins to fail and when it is back', async () => {
    tell(stellarAnswers(), bitcoinAnswers())
    world.answers.set('/pulse/last', { status: 503 })
    expect((await states()).entropy_nist).toMatchObject({ state: 'waiting', last_success_at: null })
    expect((await capture()).entropy_nist).toEqual({ outcome: 'bad_status', news: true })
    const first = (await states()).entropy_nist
    expect(first).toMatchObject({ state: 'failing', failure: 'bad_status', last_success_at: null })
    world.answers.set('/pulse/last', 'no pulse today')
    expect((await capture()).entropy_nist).toEqual({ outcome: 'bad_answer', news: false })
    expect((await states()).entropy_nist).toMatchObject({
      state: 'failing',
      failure: 'bad_answer',
      failing_since: first?.failing_since,
    })
    expect((await states()).entropy_stellar).toMatchObject({ state: 'answering', failing_seconds: 0 })
    tell(nistAnswers(4))
    expect((await capture()).entropy_nist).toEqual({ outcome: 'recorded', news: true })
    expect((await states()).entropy_nist).toMatchObject({
      state: 'answering',
      failing_since: null,
      failure: null,
      failing_seconds: 0,
      last_success_at: expect.stringMatching(/^20.*Z$/),
    })
  })

  it('holds up neither a block nor the other sources', async () => {
    await ledger.finalize()
    let release = (): void => undefined
    tell(nistAnswers(5), bitcoinAnswers())
    const hangs = new Promise<void>((asked) =>
      world.answers.set('/ledgers?order=desc&limit=1', (_, response) => {
        release = () => response.destroy()
        asked()
      }),
    )
    const turn = capture()
    await hangs
    await expect
      .poll(() => query(`SELECT 1 FROM entropy_observations WHERE block_id IS NULL`))
      .toHaveLength(1)
    await expect(ledger.finalize()).resolves.toMatchObject({ outcome: 'finalized', leaves: 1 })
    release()
    expect(await turn).toMatchObject({
      entropy_nist: { outcome: 'recorded' },
      entropy_stellar: { outcome: 'unreachable' },
    })
  })

  it('is nobody’s fault when the service stops in the middle', async () => {
    const stop = new AbortController()
    for (const path of ['/pulse/last', '/ledgers?order=desc&limit=1', '/blocks/tip/hash'])
      world.answers.set(path, () => stop.abort())
    expect(await capture({ signal: stop.signal })).toEqual({})
    expect((await states()).entropy_nist).toMatchObject({ state: 'waiting' })
  })

  it('is not believed when it speaks of the future or of times before it was there', async () => {
    const [[path, answer] = ['', '']] = nistAnswers().answers
    for (const timeStamp of [
      '2999-01-01T00:00:00.000Z',
      '0000-01-01T00:00:00.000Z',
      '1999-12-31T23:59:00.000Z',
    ]) {
      world.answers.set(path, String(answer).replace('2025-01-01T00:00:00.000Z', timeStamp))
      expect((await capture()).entropy_nist, timeStamp).toMatchObject({ outcome: 'bad_answer' })
    }
  })
})
