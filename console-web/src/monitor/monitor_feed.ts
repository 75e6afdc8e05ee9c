// What the monitor follows: the beacons of the page's feed and the other streams that are switched on, gathered into
// one list of rows. There is one for each sign-in, so that the rows stay when a person visits another page. It follows until
// the connection of that sign-in ends.
import { type Beacon, CHAIN_REPLACED, type StreamName } from '../../../shared/wire/console_stream.ts'
import type { BeaconFeed, FeedState } from '../chain/beacon_feed.ts'
import { delayed } from '../data/delayed.ts'
import { textAt } from '../data/shape.ts'
import { Store } from '../data/store.ts'
import { type FollowPorts, type LiveStream, STREAM_NAMES } from '../data/stream/live_events.ts'
import { followStream } from './follow_stream.ts'
import { type MonitorRow, nameOfRow, OUTAGE } from './monitor_row.ts'
import { NO_FILTER, type RowFilter, shownRows, withRows } from './monitor_rows.ts'
import { readRows } from './monitor_streams.ts'
import { rowWords } from './row_words.ts'

export type MonitorState = {
  /** Newest first, with those that the filter hides. */
  readonly rows: readonly MonitorRow[]
  /** The rows of the moment when a person held the list, or null. */
  readonly held: readonly MonitorRow[] | null
  readonly filter: RowFilter
  /** Since when the connection is gone, or null. */
  readonly offlineSince: number | null
  /** Why the newest rows of a stream could not be read, or null. */
  readonly unread: ReadonlyMap<LiveStream, string | null>
  /** Names of rows that have just come. They are marked for a moment. */
  readonly fresh: ReadonlySet<string>
  /** How often each thing has happened since the start, in words, for the announcements. */
  readonly heard: ReadonlyMap<string, number>
}

type MonitorPorts = FollowPorts & {
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

export class MonitorFeed {
  readonly state: Store<MonitorState>
  readonly #ports: MonitorPorts
  readonly #ends = new Map<LiveStream, () => void>()
  #gathered: MonitorRow[] = []
  /** Beacons that came since the connection was gone. */
  #caughtUp = 0
  readonly #nextShow = delayed(() => this.#show())
  readonly #unmark = delayed(() => this.state.change({ fresh: new Set() }))
  #shownAt = 0
  #replaced: FeedState['replaced']

  constructor(ports: MonitorPorts, off: ReadonlySet<StreamName>) {
    this.#ports = ports
    this.state = new Store<MonitorState>({
      rows: [],
      held: null,
      filter: { ...NO_FILTER, off },
      offlineSince: null,
      unread: new Map(),
      fresh: new Set(),
      heard: new Map(),
    })
    const { beacons } = ports
    const { replaced, list } = beacons.state.read()
    this.#replaced = replaced
    this.#takeBeacons(list.rows, 'read')
    beacons.follow(this.#takeBeacons)
    beacons.state.subscribe(this.#feedChanged)
    this.#feedChanged()
    this.#followChosen()
  }

  /** The rest of the filter stays as it is. */
  narrow(part: Partial<RowFilter>): void {
    this.state.change({ filter: { ...this.state.read().filter, ...part } })
    this.#followChosen()
  }

  /** Holds the list as it is now. A list that is held is held again, with what has come meanwhile. */
  hold(): void {
    this.#show()
    this.state.change({ held: this.state.read().rows })
  }

  release(): void {
    this.#show()
    this.state.change({ held: null })
  }

  #followChosen(): void {
    const { off } = this.state.read().filter
    for (const stream of STREAM_NAMES) {
      if (stream === 'beacons') continue
      if (off.has(stream)) {
        this.#ends.get(stream)?.()
        this.#ends.delete(stream)
      } else if (!this.#ends.has(stream)) this.#ends.set(stream, this.#follow(stream))
    }
  }

  #follow = (stream: LiveStream): (() => void) =>
    followStream(this.#ports, stream, {
      rows: this.#take,
      unread: (why) => this.state.change({ unread: new Map(this.state.read().unread).set(stream, why) }),
    })

  #takeBeacons = (beacons: readonly Beacon[], origin: 'sent' | 'read'): void => {
    const rows = beacons.flatMap((data) => readRows('beacons', data)).map((row) => ({ ...row, origin }))
    const { offlineSince } = this.state.read()
    if (origin === 'sent' && offlineSince !== null) {
      this.#caughtUp += rows.length
      // A beacon older than the noticed beginning was missed, too: the computer slept, or the connection was dead before it
      // was closed.
      this.state.change({ offlineSince: Math.min(offlineSince, ...rows.map(({ at }) => at)) })
    }
    this.#take(rows)
  }

  #feedChanged = (): void => {
    const { connection, replaced } = this.#ports.beacons.state.read()
    const now = this.#ports.now()
    if (replaced !== this.#replaced && replaced !== null) this.#take([replacedRow(replaced, now)])
    this.#replaced = replaced
    const { offlineSince } = this.state.read()
    if (connection.phase === 'offline' && offlineSince === null) this.state.change({ offlineSince: now })
    if (connection.phase === 'live' && offlineSince !== null) {
      this.#take([outageRow(offlineSince, Math.max(offlineSince, now), this.#caughtUp)])
      this.#caughtUp = 0
      this.state.change({ offlineSince: null })
    }
  }

  #take = (rows: readonly MonitorRow[]): void => {
    for (const row of rows)
      if (!isRepeat(row, this.#gathered) && !isRepeat(row, this.state.read().rows)) this.#gathered.push(row)
    if (this.#gathered.length > MOST_GATHERED) this.#show()
    const wait = Math.max(AT_ONCE_MS, this.#shownAt + GATHER_MS - Date.now())
    if (this.#gathered.length > 0) this.#nextShow.in(wait)
  }

  #show(): void {
    this.#nextShow.cancel()
    const gathered = new Set(this.#gathered)
    if (gathered.size === 0) return
    this.#gathered = []
    this.#shownAt = Date.now()
    const state = this.state.read()
    const rows = withRows(state.rows, [...gathered])
    // A row that was here before stays the same object, so these are those that are new.
    const sent = rows.filter((row) => row.origin !== 'read' && gathered.has(row))
    const seen = shownRows(sent, state.filter)
    const heard = new Map(state.heard)
    for (const { name } of seen.map(rowWords)) heard.set(name, (heard.get(name) ?? 0) + 1)
    const isMarked = seen.length > 0 && seen.length <= MOST_FRESH
    if (isMarked) {
      this.#unmark.cancel()
      this.#unmark.in(FRESH_MS)
    }
    this.state.change({
      rows,
      ...(seen.length > 0 ? { heard } : {}),
      ...(isMarked ? { fresh: new Set(seen.map(nameOfRow)) } : {}),
    })
  }
}

const replacedRow = (data: NonNullable<FeedState['replaced']>, at: number): MonitorRow => {
  return { kind: CHAIN_REPLACED, stream: 'beacons', at, id: data.lost, data, origin: 'noticed' }
}

/** An absence of the connection as a row: from when to when, and how many blocks were caught up. */
const outageRow = (since: number, until: number, beacons: number): MonitorRow => {
  const data = { from: new Date(since).toISOString(), to: new Date(until).toISOString(), beacons }
  return { kind: OUTAGE, stream: 'connection', at: since, id: String(until), data, origin: 'noticed' }
}

/**
 * Whether a commitment's event that was read is among these under another time: the API knows only the time of its last
 * change. What the stream sends happened now, even when it was the same before: a chain may take a transaction back.
 */
const isRepeat = (row: MonitorRow, known: readonly MonitorRow[]): boolean =>
  row.origin === 'read' &&
  row.stream === 'commitments' &&
  known.some((one) => transactionOf(one) === transactionOf(row))

const transactionOf = ({ kind, id, data }: MonitorRow): string =>
  [kind, id, textAt(data, 'transaction_hash')].join(' ')
