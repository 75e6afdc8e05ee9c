// The walk to the genesis block: what it counts, where it stops, and that it waits.
import { describe, expect, it } from 'vitest'
import { readBlockPage } from '../../console-web/src/blocks/block.ts'
import { GENESIS_PREVIOUS_HASH } from '../../console-web/src/blocks/recompute_block.ts'
import { breakAt, ChainWalk, walkPath } from '../../console-web/src/chain/chain_walk.ts'
import { ApiFailure } from '../../console-web/src/data/api_failure.ts'
import { uuid7From } from '../../server/kernel/identifiers.ts'
import { fromHex, toHex } from '../../shared/proof/bytes.ts'
import { blockHash, jsonHash } from '../../shared/proof/composites.ts'
import { type JsonObject, type JsonValue, memberAt } from '../../shared/proof/json_value.ts'
import { EMPTY_ROOT } from '../../shared/proof/merkle.ts'

const KEY = '01020304'
const METADATA_HASH = jsonHash('block_metadata', {})

/** A sound chain as the API answers it, oldest first. */
const chainOf = (length: number): JsonObject[] => {
  let previous = GENESIS_PREVIOUS_HASH
  return Array.from({ length }, (_, height) => {
    const ms = Date.UTC(2027, 0, 1) + height * 60_000
    const id = uuid7From(ms, new Uint8Array(10).fill(height % 251))
    const hash = toHex(
      blockHash({
        id,
        previousBlockHash: fromHex(previous),
        merkleRoot: EMPTY_ROOT,
        metadataHash: METADATA_HASH,
        keyId: fromHex(KEY),
      }),
    )
    const attributes = {
      height,
      block_hash: hash,
      previous_block_hash: previous,
      merkle_root: toHex(EMPTY_ROOT),
      metadata: {},
      metadata_hash: toHex(METADATA_HASH),
      signing_key_id: KEY,
      finalized_at: new Date(ms).toISOString(),
    }
    previous = hash
    return { type: 'block', id, attributes }
  })
}

const changed = (block: JsonObject, attributes: JsonObject): JsonObject => {
  const { attributes: before } = block
  return { ...block, attributes: { ...(typeof before === 'object' ? before : {}), ...attributes } }
}

const heightOf = ({ attributes }: JsonObject): number => Number(memberAt(attributes, 'height'))

/** Serves a chain in pages, newest first, from the height that is asked for. */
const serving = (chain: readonly JsonObject[]) => {
  const newest = chain.toReversed()
  const asked: string[] = []
  const get = async (path: string): Promise<JsonValue> => {
    asked.push(path)
    const from = Number(/filter\[height\]\[lte\]=(\d+)/.exec(path)?.[1] ?? Number.POSITIVE_INFINITY)
    return { data: newest.filter((block) => heightOf(block) <= from).slice(0, 250), links: {} }
  }
  return { get, asked }
}

const ended = (walk: ChainWalk): Promise<void> =>
  new Promise((resolve) => {
    const look = (): void => {
      if (walk.state.read().kind === 'walking') return
      unsubscribe()
      resolve()
    }
    const unsubscribe = walk.state.subscribe(look)
    look()
  })

const walked = async (get: (path: string) => Promise<JsonValue>, from: number | null = null) => {
  const walk = new ChainWalk({ get }, from)
  walk.go()
  await ended(walk)
  return walk.state.read()
}

describe('the walk to genesis', () => {
  it('checks every block down to the genesis, with one request for 250 of them', async () => {
    const { get, asked } = serving(chainOf(612))
    const state = await walked(get)
    expect(state).toMatchObject({ kind: 'done', broken: null })
    expect(state.place).toMatchObject({ checked: 612, top: { height: 611 }, low: { height: 0 } })
    expect(asked).toEqual([walkPath(null), walkPath(361), walkPath(111)])
  })

  it('begins at a block when asked', () => {
    expect(walkPath(42)).toContain('filter[height][lte]=42')
  })

  it.each([
    [
      'a changed root',
      (chain: JsonObject[]) => (chain[5] = changed(chain[5] ?? {}, { merkle_root: '00'.repeat(32) })),
      'Block hash',
      5,
    ],
    [
      'changed metadata',
      (chain: JsonObject[]) => (chain[5] = changed(chain[5] ?? {}, { metadata: { a: 1 } })),
      'Metadata hash',
      5,
    ],
    ['a missing block', (chain: JsonObject[]) => chain.splice(5, 1), 'A height is missing', 4],
    [
      'another time',
      (chain: JsonObject[]) =>
        (chain[5] = changed(chain[5] ?? {}, { finalized_at: '2026-01-01T00:00:00.000Z' })),
      'Time in the id',
      5,
    ],
    [
      'another chain below',
      (chain: JsonObject[]) =>
        (chain[5] = changed(chainOf(6)[5] ?? {}, { previous_block_hash: '11'.repeat(32) })),
      'Block hash',
      5,
    ],
  ])('stops at the first break with both values: %s', async (_, breakIt, what, height) => {
    const chain = chainOf(10)
    breakIt(chain)
    const { kind, broken, place } = await walked(serving(chain).get)
    expect(kind).toBe('broken')
    expect(broken?.what).toContain(what)
    expect(broken?.block.height).toBe(height)
    expect(broken?.expected).not.toBe(broken?.found)
    expect(place?.checked).toBe(4)
  })

  it('does not take a chain that ends above its genesis for a whole one', async () => {
    const state = await walked(serving(chainOf(10).slice(3)).get)
    expect(state).toMatchObject({ kind: 'failed', place: { checked: 7 } })
    expect(state.why).toContain('genesis block was not reached')
  })

  it('does not take another beginning for the genesis', () => {
    const [genesis = {}] = chainOf(1)
    const [block] = readBlockPage({
      data: [changed(genesis, { previous_block_hash: '11'.repeat(32) })],
      links: {},
    }).rows
    if (block === undefined) throw new Error('no block')
    expect(breakAt(null, block)?.what).toContain('genesis')
  })

  it('goes on where it was paused, also in the middle of a page', async () => {
    const { get } = serving(chainOf(300))
    const walk = new ChainWalk({ get }, null)
    const unsubscribe = walk.state.subscribe(() => {
      const checked = walk.state.read().place?.checked ?? 0
      if (checked > 0 && checked < 100) walk.pause()
    })
    walk.go()
    await ended(walk)
    expect(walk.state.read().kind).toBe('paused')
    unsubscribe()
    walk.go()
    await ended(walk)
    expect(walk.state.read()).toMatchObject({ kind: 'done', place: { checked: 300 } })
  })

  it('waits as the service asks, and then goes on', async () => {
    const { get } = serving(chainOf(3))
    let refusals = 1
    const busy = async (path: string): Promise<JsonValue> => {
      if (refusals-- > 0) throw new ApiFailure('rate_limited', 'Too many requests.', { retryAfterMs: 30 })
      return get(path)
    }
    expect(await walked(busy)).toMatchObject({ kind: 'done', place: { checked: 3 } })
  })
})
