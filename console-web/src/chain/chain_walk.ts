// The walk down to the genesis block, in pages of 250. It can be paused, and it waits as the service asks.

import { budgetWait } from '../beacons/prove_plan.ts'
import { type Block, readBlockPage } from '../blocks/block.ts'
import type { Api } from '../data/api_client.ts'
import { ApiFailure, isTransient, messageOf } from '../data/api_failure.ts'
import { pause } from '../data/pause.ts'
import { retryDelay } from '../data/retry_schedule.ts'
import { Store } from '../data/store.ts'
import { checkNext, isBreak, WALK_BEGIN, type WalkBreak, type WalkPlace } from './walk_check.ts'

export type WalkState = {
  readonly kind: 'ready' | 'walking' | 'paused' | 'done' | 'broken' | 'failed'
  readonly place: WalkPlace
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
  readonly state: Store<WalkState>
  readonly #api: Pick<Api, 'get'>
  #path: string | null
  #running: AbortController | null = null
  #requests: readonly number[] = []

  constructor(api: Pick<Api, 'get'>, from: number | null) {
    this.#api = api
    this.#path = walkPath(from)
    this.state = new Store<WalkState>({ kind: 'ready', place: WALK_BEGIN, broken: null, why: null })
  }

  /** Begins, or goes on where it was paused. */
  go(): void {
    const { kind } = this.state.read()
    if (kind === 'walking' || kind === 'done' || kind === 'broken') return
    const running = new AbortController()
    this.#running = running
    this.#change({ kind: 'walking', why: null })
    void this.#run(running.signal)
  }

  pause(): void {
    this.#running?.abort()
    this.#running = null
    if (this.state.read().kind === 'walking') this.#change({ kind: 'paused', why: null })
  }

  async #run(signal: AbortSignal): Promise<void> {
    let failures = 0
    while (!signal.aborted && this.state.read().kind === 'walking') {
      try {
        await pause(budgetWait(this.#requests, Date.now(), REQUESTS_PER_MINUTE), signal)
        if (signal.aborted || this.#path === null) return
        this.#requests = [...this.#requests, Date.now()].slice(-REQUESTS_PER_MINUTE)
        const { blocks, next } = readBlockPage(await this.#api.get(this.#path, signal))
        failures = 0
        // The place moves with every slice, so blocks of a page that was left half-way are passed over.
        if (!(await this.#check(blocks, signal))) return
        this.#path = next
        if (next === null) this.#end()
        else if (blocks.length === 0)
          throw new ApiFailure('unreadable', 'The service sent a page without blocks.')
      } catch (error) {
        if (signal.aborted) return
        if (!isTransient(error)) {
          this.#change({ kind: 'failed', why: messageOf(error) })
          return
        }
        failures += 1
        this.#change({ why: messageOf(error) })
        const asked = error instanceof ApiFailure ? error.retryAfterMs : 0
        await pause(retryDelay(failures, Math.random(), asked), signal)
      }
    }
  }

  /** False when the walk ends here. */
  async #check(blocks: readonly Block[], signal: AbortSignal): Promise<boolean> {
    const { low } = this.state.read().place
    const fresh = low === null ? blocks : blocks.filter(({ id }) => id < low.id)
    for (let at = 0; at < fresh.length; at += SLICE) {
      let { place } = this.state.read()
      for (const block of fresh.slice(at, at + SLICE)) {
        const result = checkNext(place, block)
        if (isBreak(result)) {
          this.#change({ kind: 'broken', place, broken: result, why: null })
          return false
        }
        place = result
      }
      this.#change({ place, why: null })
      await pause(0, signal)
      if (signal.aborted) return false
    }
    return true
  }

  #end(): void {
    const { low } = this.state.read().place
    if (low === null) this.#change({ kind: 'failed', why: 'The service has no block there.' })
    else if (low.height === 0) this.#change({ kind: 'done' })
    else
      this.#change({
        kind: 'failed',
        why: `The service shows no block below ${low.height}, so the genesis block was not reached.`,
      })
  }

  #change(change: Partial<WalkState>): void {
    this.state.write({ ...this.state.read(), ...change })
  }
}
