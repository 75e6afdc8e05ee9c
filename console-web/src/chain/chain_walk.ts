// The walk down to the genesis block, in pages of 250. It can be paused, and it waits as the service asks.
import { type Block, readBlockPage } from '../blocks/block.ts'
import { GENESIS_PREVIOUS_HASH, recomputeBlock } from '../blocks/recompute_block.ts'
import type { Api } from '../data/api_client.ts'
import { ApiFailure, isTransient, messageOf } from '../data/api_failure.ts'
import { pause, waitAfter } from '../data/retry_schedule.ts'
import { Store } from '../data/store.ts'
import { budgetWait } from './block_prover.ts'

export type WalkState = {
  readonly kind: 'ready' | 'walking' | 'paused' | 'done' | 'broken' | 'failed'
  /** Null before the first block. */
  readonly place: WalkPlace | null
  readonly broken: WalkBreak | null
  /** Why it waits, or why it ended. */
  readonly why: string | null
}

/** Half of the budget of a caller. The rest is for everything else that the person does meanwhile. */
const REQUESTS_PER_MINUTE = 60
/** Blocks that are checked before the page may draw again: about 10 ms of work. */
const SLICE = 32
const FIELDS =
  'fields[block]=height,block_hash,previous_block_hash,merkle_root,metadata,metadata_hash,signing_key_id,finalized_at'

/** @param from height of the first block, null for the head */
export const walkPath = (from: number | null): string =>
  `/api/json/blocks?page[limit]=250&${FIELDS}${from === null ? '' : `&filter[height][lte]=${from}`}`

export class ChainWalk {
  readonly state = new Store<WalkState>({ kind: 'ready', place: null, broken: null, why: null })
  readonly #api: Pick<Api, 'get'>
  readonly #from: number | null
  #running: AbortController | null = null
  #requests: readonly number[] = []

  constructor(api: Pick<Api, 'get'>, from: number | null) {
    this.#api = api
    this.#from = from
  }

  /** Begins, or goes on where it was paused. */
  go(): void {
    const { kind } = this.state.read()
    if (kind === 'walking' || kind === 'done' || kind === 'broken') return
    this.#running = new AbortController()
    this.state.change({ kind: 'walking', why: null })
    void this.#run(this.#running.signal)
  }

  pause(): void {
    this.#running?.abort()
    if (this.state.read().kind === 'walking') this.state.change({ kind: 'paused', why: null })
  }

  async #run(signal: AbortSignal): Promise<void> {
    let failures = 0
    while (!signal.aborted && this.state.read().kind === 'walking') {
      try {
        await pause(budgetWait(this.#requests, Date.now(), REQUESTS_PER_MINUTE), signal)
        if (signal.aborted) return
        this.#requests = [...this.#requests, Date.now()].slice(-REQUESTS_PER_MINUTE)
        const { place } = this.state.read()
        const path = walkPath(place === null ? this.#from : place.low.height - 1)
        const { rows: blocks } = readBlockPage(await this.#api.get(path, signal))
        failures = 0
        if (blocks.length === 0) throw new ApiFailure('unreadable', noneBelow(place))
        await this.#check(blocks, signal)
      } catch (error) {
        if (signal.aborted) return
        const why = messageOf(error)
        if (!isTransient(error)) return this.state.change({ kind: 'failed', why })
        failures += 1
        this.state.change({ why })
        await pause(waitAfter(failures, error), signal)
      }
    }
  }

  async #check(blocks: readonly Block[], signal: AbortSignal): Promise<void> {
    for (let at = 0; at < blocks.length && !signal.aborted; at += SLICE) {
      let { place } = this.state.read()
      for (const block of blocks.slice(at, at + SLICE)) {
        const broken = breakAt(place?.low ?? null, block)
        if (broken !== undefined) return this.state.change({ kind: 'broken', place, broken, why: null })
        place = { checked: (place?.checked ?? 0) + 1, top: place?.top ?? block, low: block }
      }
      this.state.change({ kind: place?.low.height === 0 ? 'done' : 'walking', place, why: null })
      await pause(0, signal)
    }
  }
}

const noneBelow = (place: WalkPlace | null): string =>
  place === null
    ? 'The service has no block there.'
    : `The service shows no block below ${place.low.height}, so the genesis block was not reached.`

/** How far a walk has come. */
type WalkPlace = {
  readonly checked: number
  /** The first block of the walk: the newest one. */
  readonly top: Block
  /** The last block that was checked: the oldest one. */
  readonly low: Block
}

/** The first thing that does not hold, with both values. */
type WalkBreak = ReturnType<typeof differs> & { readonly block: Block }

const differs = (what: string, expected: string, found: string | null) => ({ what, expected, found })

/** Why the block does not hold below the one above it. The first block of a walk has none above it. */
export const breakAt = (above: Block | null, block: Block): WalkBreak | undefined => {
  const broken = placeBreak(above, block) ?? hashBreak(block)
  return broken && { ...broken, block }
}

const placeBreak = (above: Block | null, { height, hash, previous_hash, timestamp }: Block) => {
  if (height === 0 && previous_hash !== GENESIS_PREVIOUS_HASH)
    return differs('The genesis block does not link to the beginning', GENESIS_PREVIOUS_HASH, previous_hash)
  if (above === null) return undefined
  if (height !== above.height - 1) return differs('A height is missing', `${above.height - 1}`, `${height}`)
  if (hash !== above.previous_hash)
    return differs(`Block ${above.height} does not link to this block`, above.previous_hash, hash)
  return Date.parse(timestamp) < Date.parse(above.timestamp)
    ? undefined
    : differs('The block is not older than the next one', `before ${above.timestamp}`, timestamp)
}

const hashBreak = (block: Block) => {
  const step = recomputeBlock(block, block).steps.find(({ ok }) => !ok)
  return step && differs(`${step.name} is not the one computed here`, step.expected, step.computed)
}
