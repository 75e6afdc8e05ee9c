// Recomputes the block hash of every beacon in the list, newest first, in the background. Uses only a share
// of the request budget.
import { uuid7Time } from '../../../shared/proof/ids.ts'
import type { Beacon } from '../../../shared/wire/console_stream.ts'
import { type Block, readBlockPage } from '../blocks/block.ts'
import { type Recomputation, recomputeBlock } from '../blocks/recompute_block.ts'
import type { Api } from '../data/api_client.ts'
import { ApiFailure } from '../data/api_failure.ts'
import { pathWith } from '../data/list_filter.ts'
import { LARGEST_PAGE } from '../data/resource.ts'
import { pause, waitAfter } from '../data/retry_schedule.ts'
import { Store } from '../data/store.ts'

export type Proof = { readonly block: Block; readonly recomputation: Recomputation }
/** By id. Null when the server has no block of that id: the beacon then stays linked and is never proven. */
export type Proofs = ReadonlyMap<string, Proof | null>

/** The caller's budget is 120 a minute. The rest is left for scrolling, drawers and other tabs. */
const REQUESTS_PER_MINUTE = 40
/** New blocks are asked for together when they come faster than this. */
const LIVE_EVERY_MS = 3_000

export class BlockProver {
  readonly proofs = new Store<Proofs>(new Map())
  readonly #api: Api
  #rows: readonly Beacon[] = []
  #requests: readonly number[] = []
  /** Ends the work that is under way. Null when nothing is. */
  #running: AbortController | null = null
  /** When the newest block was last asked for. */
  #liveAt = 0

  constructor(api: Api) {
    this.#api = api
  }

  /** Takes the rows now in the list. */
  want(rows: readonly Beacon[]): void {
    this.#rows = rows
    // The chain was replaced: what was proven of it says nothing of the next one.
    if (rows.length === 0) this.proofs.write(new Map())
    if (this.#running === null) void this.#work()
  }

  stop(): void {
    this.#running?.abort()
    this.#running = null
  }

  async #work(): Promise<void> {
    const running = new AbortController()
    const { signal } = running
    let failures = 0
    this.#running = running
    try {
      while (!signal.aborted) {
        const plan = provePlan(this.#rows, (id) => this.proofs.read().has(id))
        if (plan === null) return
        const isLive = plan.wanted === this.#rows[0]?.id
        const gather = isLive ? this.#liveAt + LIVE_EVERY_MS - Date.now() : 0
        const wait = Math.max(gather, budgetWait(this.#requests, Date.now(), REQUESTS_PER_MINUTE))
        if (wait > 0) {
          await pause(wait, signal)
          // More may be missing now, and one request can answer for all.
          continue
        }
        if (isLive) this.#liveAt = Date.now()
        this.#requests = [...this.#requests, Date.now()].slice(-REQUESTS_PER_MINUTE)
        try {
          this.#settle(plan.wanted, readBlockPage(await this.#api.get(pathOf(plan), signal)).rows)
          failures = 0
        } catch (error) {
          if (error instanceof ApiFailure && error.kind === 'unauthorized') return
          failures += 1
          await pause(waitAfter(failures, error), signal)
        }
      }
    } finally {
      // This one may have been stopped, and another one begun.
      if (this.#running === running) this.#running = null
    }
  }

  /** Forgets the blocks of rows that left the list, so that memory is limited by the list. */
  #settle(wanted: string, blocks: readonly Block[]): void {
    const known = this.proofs.read()
    const byId = new Map(blocks.map((block) => [block.id, block]))
    const next = new Map<string, Proof | null>()
    for (const row of this.#rows) {
      const block = byId.get(row.id)
      const proof = known.get(row.id) ?? (block && proofOf(row, block))
      // The server has no such block. Recorded as missing, because otherwise the prover would ask forever.
      if (proof !== undefined || row.id === wanted || known.has(row.id)) next.set(row.id, proof ?? null)
    }
    this.proofs.write(next)
  }
}

export const proofOf = (beacon: Beacon, block: Block): Proof => ({
  block,
  recomputation: recomputeBlock(beacon, block),
})

/**
 * The id of the newest block that is asked for, and how many from there on: blocks that are missing near the newest come
 * with it. Null when every row has its block or is known to have none.
 */
export const provePlan = (rows: readonly Beacon[], settled: (id: string) => boolean) => {
  const first = rows.findIndex((row) => !settled(row.id))
  const wanted = rows[first]?.id
  if (wanted === undefined) return null
  const last = rows.findLastIndex((row, index) => index < first + LARGEST_PAGE && !settled(row.id))
  return { wanted, limit: last - first + 1 }
}

/** The id of a block tells when it was finalized. */
const pathOf = ({ wanted, limit }: NonNullable<ReturnType<typeof provePlan>>): string =>
  pathWith('/api/json/blocks', {
    'filter[finalized_at][lte]': new Date(uuid7Time(wanted) ?? 0).toISOString(),
    'page[limit]': String(limit),
  })

/**
 * Milliseconds to wait so that any minute has at most `most` requests. `times` are the earlier requests,
 * oldest first.
 */
export const budgetWait = (times: readonly number[], now: number, most: number): number => {
  const first = times[times.length - most]
  return first === undefined ? 0 : Math.max(0, first + 60_000 - now)
}
