// The blocks between two times, newest first, read in pages of 250. Each is recomputed when it is read.
import type { Beacon } from '../../../shared/wire/console_stream.ts'
import { beaconOf, readBlockPage } from '../blocks/block.ts'
import type { Api } from '../data/api_client.ts'
import { messageOf } from '../data/api_failure.ts'
import { Store } from '../data/store.ts'
import type { OlderPages } from '../data/stream/live_list.ts'
import { type Proof, type Proofs, proofOf } from './block_prover.ts'

/** Two times in ISO 8601; both belong to the range. */
export type TimeRange = { readonly from: string; readonly to: string }

export type RangeRows = {
  readonly rows: readonly Beacon[]
  readonly proofs: Proofs
  readonly older: OlderPages
}

/** Rows of one range on the page, as of the live list. */
const MOST_ROWS = 5_000

const rangePath = ({ from, to }: TimeRange): string =>
  `/api/json/blocks?filter[finalized_at][gte]=${encodeURIComponent(from)}` +
  `&filter[finalized_at][lte]=${encodeURIComponent(to)}&page[limit]=250`

export class BlockRange {
  readonly state: Store<RangeRows>
  readonly #api: Pick<Api, 'get'>
  #lifetime = new AbortController()

  constructor(api: Pick<Api, 'get'>, range: TimeRange) {
    this.#api = api
    this.state = new Store<RangeRows>({
      rows: [],
      proofs: new Map(),
      older: { kind: 'idle', path: rangePath(range) },
    })
  }

  start(): void {
    this.#lifetime = new AbortController()
    if (this.state.read().rows.length === 0) void this.loadOlder()
  }

  stop(): void {
    this.#lifetime.abort()
  }

  async loadOlder(): Promise<void> {
    const { older } = this.state.read()
    if (older.kind !== 'idle' && older.kind !== 'failed') return
    const { path } = older
    const { signal } = this.#lifetime
    this.state.write({ ...this.state.read(), older: { kind: 'loading' } })
    try {
      const { blocks, next } = readBlockPage(await this.#api.get(path, signal))
      const { rows, proofs } = this.state.read()
      const beacons = blocks.map(beaconOf)
      const fresh: [string, Proof][] = blocks.map((block) => [block.id, proofOf(beaconOf(block), block)])
      const all = [...rows, ...beacons]
      this.state.write({
        rows: all,
        proofs: new Map([...proofs, ...fresh]),
        older:
          all.length >= MOST_ROWS
            ? { kind: 'bounded' }
            : next === null
              ? { kind: 'end' }
              : { kind: 'idle', path: next },
      })
    } catch (error) {
      this.state.write({
        ...this.state.read(),
        older: signal.aborted ? { kind: 'idle', path } : { kind: 'failed', path, why: messageOf(error) },
      })
    }
  }
}
