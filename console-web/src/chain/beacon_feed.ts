// The live list of beacons: first page, older pages, the stream with its catch-up, and the pause. There is
// one per signed-in key.
import type { Beacon } from '../../../shared/wire/console_stream.ts'
import type { Connection } from '../connection/beacon_stream.ts'
import { readBeaconPage } from '../connection/read_beacon.ts'
import type { Api } from '../data/api_client.ts'
import { delayed } from '../data/delayed.ts'
import { type Page, widest } from '../data/resource.ts'
import { Store } from '../data/store.ts'
import { type OlderPages, olderOf, olderReader } from '../data/stream/older_pages.ts'
import { type BeaconList, emptyList, insertBeacons, MAX_ROWS } from './beacon_list.ts'

/** The catch-up after an absence: how many beacons came, since which time, and whether the last one has arrived. */
type CatchUp = {
  readonly count: number
  readonly since: string
  /** The newest id that the server had at the subscription. */
  readonly until: string
  readonly done: boolean
}

export type FeedState = {
  readonly list: BeaconList
  readonly connection: Connection
  readonly older: OlderPages
  /** The newest id that is shown while newer ones are held back. Null when nothing is held back. */
  readonly heldAt: string | null
  readonly catchUp: CatchUp | null
  /** Id of the beacon that last arrived live. Its row is highlighted. */
  readonly arrived: string | null
  /**
   * Set when the chain was replaced and the list started again: the newest beacon that was lost, and the
   * beacon where the new chain continues.
   */
  readonly replaced: { readonly lost: string; readonly head: string | null } | null
}

/** Beacons that the stream sent, oldest first, or a page that was read, newest first. */
type BeaconFollower = (beacons: readonly Beacon[], origin: 'sent' | 'read') => void

const FIRST_PAGE = '/api/json/beacons?page[limit]=12'
const FLUSH_AFTER_MS = 25

const NOTHING = {
  list: emptyList,
  older: { kind: 'unknown' },
  heldAt: null,
  catchUp: null,
  arrived: null,
} as const

export class BeaconFeed {
  readonly state = new Store<FeedState>({ ...NOTHING, connection: { phase: 'connecting' }, replaced: null })
  readonly #api: Api
  readonly #readOlder = olderReader(this.state)
  #lifetime = new AbortController()
  #buffer: Beacon[] = []
  readonly #nextFlush = delayed(() => this.#flush())
  readonly #followers = new Set<BeaconFollower>()

  constructor(api: Api) {
    this.#api = api
  }

  /** Calls `follower` with every portion that comes. The returned function ends it. */
  follow(follower: BeaconFollower): () => void {
    this.#followers.add(follower)
    return () => this.#followers.delete(follower)
  }

  stop(): void {
    this.#lifetime.abort()
    this.#lifetime = new AbortController()
    this.#nextFlush.cancel()
    this.#buffer = []
  }

  /** Called by the stream: the id to resume after. */
  resumeAfter = async (): Promise<string | null> => {
    this.#flush()
    if (this.state.read().list.rows.length === 0) {
      const page = await this.#read(FIRST_PAGE)
      this.#add(page.rows, 'read', { older: olderOf(page) })
    }
    return this.#newest()?.id ?? null
  }

  subscribed = (head: Beacon | null): void => {
    const newest = this.#newest()
    if (head !== null && newest !== undefined && head.id > newest.id)
      this.state.change({ catchUp: { count: 0, since: newest.timestamp, until: head.id, done: false } })
    else this.connectionChanged({ phase: 'live' })
  }

  received = (beacon: Beacon): void => {
    this.#buffer.push(beacon)
    this.#nextFlush.in(FLUSH_AFTER_MS)
  }

  startAnew = (lost: Beacon | null, head: Beacon | null): void => {
    const id = lost?.id ?? this.#newest()?.id
    this.#buffer = []
    this.state.change({
      ...NOTHING,
      replaced: id === undefined ? this.state.read().replaced : { lost: id, head: head?.id ?? null },
    })
  }

  connectionChanged = (connection: Connection): void => this.state.change({ connection })

  /** Holds back what is newer than the rows of now, or of the last hold. */
  hold(): void {
    this.state.change({ heldAt: this.#newest()?.id ?? null })
  }

  release(): void {
    this.state.change({ heldAt: null })
  }

  loadOlder = (): Promise<void> =>
    this.#readOlder(
      this.#lifetime.signal,
      (path) => this.#read(widest(path)),
      (page) => this.#add(page.rows, 'read', { older: olderOf(page) }),
    )

  #read = async (path: string): Promise<Page<Beacon>> =>
    readBeaconPage(await this.#api.get(path, this.#lifetime.signal))

  #flush(): void {
    this.#nextFlush.cancel()
    const arrivals = this.#buffer
    if (arrivals.length === 0) return
    this.#buffer = []
    const { catchUp, connection, arrived } = this.state.read()
    const isCounted = catchUp !== null && !catchUp.done
    const isLast = isCounted && arrivals.some(({ id }) => id === catchUp.until)
    const isShown = connection.phase === 'live' || arrivals.length === 1
    this.#add(arrivals, 'sent', {
      catchUp: isCounted ? { ...catchUp, count: catchUp.count + arrivals.length, done: isLast } : catchUp,
      arrived: isShown ? (arrivals.at(-1)?.id ?? null) : arrived,
    })
    if (isLast) this.connectionChanged({ phase: 'live' })
  }

  #add(beacons: readonly Beacon[], origin: 'sent' | 'read', change: Partial<FeedState>): void {
    const list = insertBeacons(this.state.read().list, beacons)
    // Rows may have left at the older end. Older pages cannot be appended then, because rows between would be missing.
    const older: Partial<FeedState> = list.rows.length < MAX_ROWS ? {} : { older: { kind: 'bounded' } }
    this.state.change({ ...change, list, ...older })
    for (const follower of this.#followers) follower(beacons, origin)
  }

  #newest = (): Beacon | undefined => this.state.read().list.rows[0]
}
