// What the monitor follows: the beacons of the page's feed and the other streams that are switched on, gathered into
// one store of rows. There is one for each sign-in, so that the rows stay when a person visits another page.
import { type Beacon, CHAIN_REPLACED, type StreamName } from '../../../shared/wire/console_stream.ts'
import type { BeaconFeed, FeedState } from '../chain/beacon_feed.ts'
import type { LiveStream } from '../data/live_events.ts'
import { Store } from '../data/store.ts'
import { type FollowPorts, followStream } from './follow_stream.ts'
import { beaconRow, type MonitorRow, STREAM_NAMES } from './monitor_row.ts'
import { OutageWatch } from './outage.ts'
import { RepeatWatch } from './repeat_watch.ts'
import type { RowFilter } from './row_filter.ts'
import { RowStore } from './row_store.ts'

export type MonitorState = {
  /** Another number after every change of the rows. */
  readonly version: number
  readonly filter: RowFilter
  readonly paused: boolean
  /** How many rows the pause holds back. */
  readonly waiting: number
  readonly searching: boolean
  /** Since when the connection is gone, or null. */
  readonly offlineSince: number | null
  /** Streams whose newest rows could not be read, and why. */
  readonly unread: ReadonlyMap<LiveStream, string>
  /** Rows that have just come. They are marked for a moment. */
  readonly fresh: ReadonlySet<MonitorRow>
  /** How many rows of each kind have come since the start, for the announcements. */
  readonly heard: ReadonlyMap<string, number>
}

export type MonitorPorts = FollowPorts & {
  readonly beacons: BeaconFeed
  /** The server's clock. */
  readonly now: () => number
}

/** Rows come on screen at most this often. */
const GATHER_MS = 250
/** A single event after a silence is shown without that wait. */
const AT_ONCE_MS = 30
/** When a hidden tab's timers are late, this many rows are not left to wait. */
const MOST_GATHERED = 2_000
const MOST_FRESH = 8
const FRESH_MS = 1_200
const SLICE_MS = 8

export class MonitorFeed {
  readonly rows: RowStore
  readonly state: Store<MonitorState>
  /** The oldest row that a person sees. It is not dropped. */
  inView: MonitorRow | null = null
  readonly #ports: MonitorPorts
  readonly #ends = new Map<LiveStream, () => void>()
  readonly #outage = new OutageWatch()
  readonly #repeats = new RepeatWatch()
  #gathered: MonitorRow[] = []
  #timers = new Map<'gather' | 'fresh' | 'search', ReturnType<typeof setTimeout>>()
  #shownAt = 0
  #replaced: FeedState['replaced'] = null
  /** The list of the feed as it was last seen. */
  #beacons: readonly Beacon[] = []

  constructor(ports: MonitorPorts, off: ReadonlySet<StreamName>) {
    const filter: RowFilter = { off, kind: null, text: '' }
    this.#ports = ports
    this.rows = new RowStore(filter)
    this.state = new Store<MonitorState>({
      version: 0,
      filter,
      paused: false,
      waiting: 0,
      searching: false,
      offlineSince: null,
      unread: new Map(),
      fresh: new Set(),
      heard: new Map(),
    })
  }

  /** The returned function ends it. */
  start(): () => void {
    const { beacons } = this.#ports
    this.#replaced = beacons.state.read().replaced
    const unfollow = beacons.follow(this.#heardBeacons)
    const unsubscribe = beacons.state.subscribe(this.#feedChanged)
    this.#feedChanged()
    this.#followChosen()
    return () => {
      unfollow()
      unsubscribe()
      for (const end of this.#ends.values()) end()
      this.#ends.clear()
      for (const timer of this.#timers.values()) clearTimeout(timer)
      this.#timers.clear()
    }
  }

  setFilter(filter: RowFilter): void {
    this.#show()
    this.rows.setFilter(filter)
    this.#changeRows({ filter })
    this.#followChosen()
    this.#search()
  }

  pause(): void {
    this.#show()
    this.rows.pause()
    this.#changeRows()
  }

  resume(): void {
    this.rows.resume()
    this.#changeRows()
  }

  /** Shows the rows that the pause held back. A paused list stays paused. */
  showNew(): void {
    this.#show()
    this.rows.showWaiting()
    this.#changeRows()
  }

  #followChosen(): void {
    const { off } = this.state.read().filter
    for (const stream of STREAM_NAMES) {
      if (stream === 'beacons') continue
      const end = this.#ends.get(stream)
      if (off.has(stream) === (end === undefined)) continue
      if (end === undefined) this.#ends.set(stream, this.#follow(stream))
      else end()
      if (end !== undefined) this.#ends.delete(stream)
    }
  }

  #follow = (stream: LiveStream): (() => void) =>
    followStream(this.#ports, stream, {
      rows: this.#take,
      unread: (why) => this.#noteUnread(stream, why),
    })

  #heardBeacons = (beacons: readonly Beacon[]): void => {
    const rows = beacons.map((beacon) => beaconRow(beacon, 'sent'))
    this.#outage.caughtUp(rows)
    this.#take(rows)
  }

  /** A page that was read. It comes when the list was empty, or as older rows at its end. */
  #readBeacons(beacons: readonly Beacon[]): void {
    if (beacons === this.#beacons) return
    const [first] = this.#beacons
    const last = this.#beacons.at(-1)
    this.#beacons = beacons
    const isNew = ({ id }: Beacon): boolean => first === undefined || last === undefined || id < last.id
    const from = beacons.findIndex(isNew)
    if (from !== -1) this.#take(beacons.slice(from).map((beacon) => beaconRow(beacon, 'read')))
  }

  #feedChanged = (): void => {
    const { connection, replaced, list } = this.#ports.beacons.state.read()
    const now = this.#ports.now()
    this.#readBeacons(list.rows)
    if (replaced !== this.#replaced && replaced !== null)
      this.#take([
        {
          kind: CHAIN_REPLACED,
          stream: 'beacons',
          at: now,
          id: replaced.lost,
          data: { lost: replaced.lost, head: replaced.head },
          origin: 'noticed',
        },
      ])
    this.#replaced = replaced
    if (connection.phase === 'offline') this.#outage.offline(now)
    const over = connection.phase === 'live' ? this.#outage.live(now) : null
    if (over !== null) this.#take([over])
    if (this.state.read().offlineSince !== this.#outage.since)
      this.#change({ offlineSince: this.#outage.since })
  }

  #take = (rows: readonly MonitorRow[]): void => {
    for (const row of rows) if (!this.#repeats.isRepeat(row)) this.#gathered.push(row)
    if (this.#gathered.length > MOST_GATHERED) this.#show()
    const wait = Math.max(AT_ONCE_MS, this.#shownAt + GATHER_MS - Date.now())
    if (this.#gathered.length > 0 && !this.#timers.has('gather'))
      this.#later('gather', wait, () => this.#show())
  }

  #show(): void {
    clearTimeout(this.#timers.get('gather'))
    this.#timers.delete('gather')
    const gathered = this.#gathered
    if (gathered.length === 0) return
    this.#gathered = []
    this.#shownAt = Date.now()
    const added = this.rows.add(gathered, this.inView)
    if (added.length === 0) return
    const sent = added.filter(({ origin }) => origin !== 'read')
    const heard = new Map(this.state.read().heard)
    for (const { kind } of sent) heard.set(kind, (heard.get(kind) ?? 0) + 1)
    const isMarked = sent.length > 0 && sent.length <= MOST_FRESH
    if (isMarked) this.#later('fresh', FRESH_MS, () => this.#change({ fresh: new Set() }))
    this.#changeRows({ heard, ...(isMarked ? { fresh: new Set(sent) } : {}) })
  }

  #search = (): void => {
    const end = performance.now() + SLICE_MS
    const done = this.rows.search(() => performance.now() > end)
    this.#changeRows()
    if (!done) this.#later('search', 0, this.#search)
  }

  #noteUnread(stream: LiveStream, why: string | null): void {
    const before = this.state.read().unread
    if ((before.get(stream) ?? null) === why) return
    const unread = new Map(before)
    if (why === null) unread.delete(stream)
    else unread.set(stream, why)
    this.#change({ unread })
  }

  #later(name: 'gather' | 'fresh' | 'search', ms: number, act: () => void): void {
    clearTimeout(this.#timers.get(name))
    const timer = setTimeout(() => {
      this.#timers.delete(name)
      act()
    }, ms)
    this.#timers.set(name, timer)
  }

  /** All in one, because every change is drawn. */
  #changeRows(change: Partial<MonitorState> = {}): void {
    this.#change({
      ...change,
      version: this.state.read().version + 1,
      paused: this.rows.isPaused,
      waiting: this.rows.waiting,
      searching: this.rows.isSearching,
    })
  }

  #change = (change: Partial<MonitorState>): void => this.state.write({ ...this.state.read(), ...change })
}
