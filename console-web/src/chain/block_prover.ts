// Recomputes the block hash of every beacon in the list, newest first, in the background. Uses only a share
// of the request budget.
import type { Beacon } from '../../../shared/wire/console_stream.ts'
import { type Block, readBlockDocument, readBlockPage } from '../blocks/block.ts'
import { type Recomputation, recomputeBlock } from '../blocks/recompute_block.ts'
import type { Api } from '../data/api_client.ts'
import { ApiFailure } from '../data/api_failure.ts'
import { LARGEST_PAGE, type Page, widest } from '../data/resource.ts'
import { pause, waitAfter } from '../data/retry_schedule.ts'
import { Store } from '../data/store.ts'

/**
 * `block` is null when the server has no block of that id. The beacon then stays linked and is never proven.
 */
export type Proof = { readonly block: Block | null; readonly recomputation: Recomputation | null }
export type Proofs = ReadonlyMap<string, Proof>

/** The caller's budget is 120 a minute. The rest is left for scrolling, drawers and other tabs. */
const REQUESTS_PER_MINUTE = 40
const MOST_CURSORS = 64
/** New blocks are asked for together when they come faster than this. */
const LIVE_EVERY_MS = 3_000

export class BlockProver {
  readonly proofs = new Store<Proofs>(new Map())
  readonly #api: Api
  #rows: readonly Beacon[] = []
  #cursors: readonly Cursor[] = []
  #requests: readonly number[] = []
  #lifetime = new AbortController()
  #running = false
  /** When the newest block was last asked for. */
  #liveAt = 0

  constructor(api: Api) {
    this.#api = api
  }

  start(): void {
    this.#lifetime = new AbortController()
    this.want(this.#rows)
  }

  stop(): void {
    this.#lifetime.abort()
  }

  /**
   * Takes the rows now in the list. Forgets the blocks of all other rows, so that memory is limited by the
   * list.
   */
  want(rows: readonly Beacon[]): void {
    const shrunk = this.#rows.length > rows.length || this.#rows.at(-1)?.id !== rows.at(-1)?.id
    this.#rows = rows
    if (shrunk && this.proofs.read().size > rows.length) {
      const held = new Set(rows.map((row) => row.id))
      this.proofs.write(new Map([...this.proofs.read()].filter(([id]) => held.has(id))))
    }
    if (!this.#running && !this.#lifetime.signal.aborted) void this.#work()
  }

  async #work(): Promise<void> {
    const { signal } = this.#lifetime
    let failures = 0
    this.#running = true
    try {
      while (!signal.aborted) {
        const plan = provePlan(this.#rows, (id) => this.proofs.read().has(id), this.#cursors)
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
          if (plan.kind === 'one') this.#settle(await this.#one(plan.wanted, signal), plan.wanted)
          else this.#turn(await this.#page(plan.path, signal), plan.wanted)
          failures = 0
        } catch (error) {
          if (signal.aborted) return
          if (error instanceof ApiFailure && error.kind === 'unauthorized') return
          if (error instanceof ApiFailure && error.kind === 'refused') this.#cursors = []
          failures += 1
          await pause(waitAfter(failures, error), signal)
        }
      }
    } finally {
      this.#running = false
      // The prover was stopped and started again during a request, so this run is aborted and the new
      // lifetime has no run yet.
      if (signal.aborted && !this.#lifetime.signal.aborted) this.want(this.#rows)
    }
  }

  async #one(id: string, signal: AbortSignal): Promise<Block | null> {
    try {
      return readBlockDocument(await this.#api.get(`/api/json/blocks/${id}`, signal))
    } catch (error) {
      if (error instanceof ApiFailure && error.kind === 'not_found') return null
      throw error
    }
  }

  async #page(path: string, signal: AbortSignal): Promise<Page<Block>> {
    return readBlockPage(await this.#api.get(path, signal))
  }

  #turn({ rows: blocks, next: older }: Page<Block>, wanted: string): void {
    const lowestId = blocks.at(-1)?.id
    const next = new Map(this.proofs.read())
    const byId = new Map(blocks.map((block) => [block.id, block]))
    for (const row of this.#rows) {
      const block = byId.get(row.id)
      if (block !== undefined && !next.has(row.id)) next.set(row.id, proofOf(row, block))
    }
    // The page went past the wanted row without it, so the server has no such block. Recorded as missing,
    // because otherwise the prover would ask forever.
    const passed = lowestId === undefined || lowestId < wanted || older === null
    if (passed && !next.has(wanted)) next.set(wanted, { block: null, recomputation: null })
    if (lowestId !== undefined && older !== null)
      this.#cursors = [...this.#cursors, { lowestId, path: widest(older) }].slice(-MOST_CURSORS)
    this.proofs.write(next)
  }

  #settle(block: Block | null, id: string): void {
    const row = this.#rows.find((beacon) => beacon.id === id)
    if (row === undefined) return
    this.proofs.write(new Map(this.proofs.read()).set(id, proofOf(row, block)))
  }
}

export const proofOf = (beacon: Beacon, block: Block | null): Proof => ({
  block,
  recomputation: block === null ? null : recomputeBlock(beacon, block),
})

/** A page of blocks that was read. The page at `path` has the blocks older than `lowestId`. */
type Cursor = { readonly lowestId: string; readonly path: string }
type Plan =
  | { readonly kind: 'one'; readonly wanted: string }
  | { readonly kind: 'page'; readonly path: string; readonly wanted: string }

const pageOf = (size: number): string => `/api/json/blocks?page[limit]=${size}`
/** Up to this many missing blocks are requested one by one. */
const FEW = 2

/**
 * Proves the newest unproven row first. Continues at the known cursor that is closest above the wanted row;
 * without one, starts at the head. Null when every row has its block or is known to have none.
 */
export const provePlan = (
  rows: readonly Beacon[],
  settled: (id: string) => boolean,
  cursors: readonly Cursor[],
): Plan | null => {
  const missing = rows.filter((row) => !settled(row.id))
  const wanted = missing[0]?.id
  if (wanted === undefined) return null
  if (missing.length <= FEW) return { kind: 'one', wanted }
  const above = cursors.filter((cursor) => cursor.lowestId > wanted)
  const closest = above.reduce<Cursor | null>(
    (best, cursor) => (best === null || cursor.lowestId < best.lowestId ? cursor : best),
    null,
  )
  if (closest !== null) return { kind: 'page', path: closest.path, wanted }
  // No more blocks than are missing from the head on.
  const last = rows.findLastIndex((row, index) => index < LARGEST_PAGE && !settled(row.id))
  const size = missing.length > LARGEST_PAGE || last === -1 ? LARGEST_PAGE : last + 1
  return { kind: 'page', path: pageOf(size), wanted }
}

/**
 * Milliseconds to wait so that any minute has at most `most` requests. `times` are the earlier requests,
 * oldest first.
 */
export const budgetWait = (times: readonly number[], now: number, most: number): number => {
  const first = times[times.length - most]
  return first === undefined ? 0 : Math.max(0, first + 60_000 - now)
}
