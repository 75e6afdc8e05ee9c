// Fills the picture: reads the newest blocks and epochs at each new connection, follows the streams from then
// on, and reads older ones when asked.
import type { BeaconFeed } from '../chain/beacon_feed.ts'
import type { Api } from '../data/api_client.ts'
import { messageOf } from '../data/api_failure.ts'
import { isJsonObject, numberAt, objectAt, textAt } from '../data/json_object.ts'
import type { Follower, LiveEvents } from '../data/live_events.ts'
import { retryDelay } from '../data/retry_schedule.ts'
import { Store } from '../data/store.ts'
import { noteConnection } from './absences.ts'
import { commitmentState, EPOCHS_PER_PAGE, epochsPath, MOST_EPOCHS, readEpochPage } from './epoch.ts'
import { paced } from './paced.ts'
import {
  begunWith,
  emptyPicture,
  type PictureState,
  withCommitment,
  withEpochs,
  withNewest,
  withSubmitted,
  withTiles,
} from './picture_state.ts'
import { nothingSubmitted, submittedPath } from './submitted.ts'
import { readTiles, type Tile, tileOfEvent, tilesPath } from './tile.ts'

export type PictureParts = {
  readonly api: Api
  readonly live: LiveEvents
  readonly feed: BeaconFeed
  readonly clockOffset: Store<number>
}

/** Beyond that, the newest blocks are read again instead. */
const MOST_WAITING = 1_000
/** While only the newest blocks are in view, no more are held than this. */
export const FORGET_ABOVE = 2_000
/** Pages of epochs read for one page of blocks. */
const EPOCH_PAGES = 4

type Change = (state: PictureState) => PictureState | null

export class PictureFeed {
  readonly state = new Store<PictureState>(emptyPicture)
  readonly #parts: PictureParts
  #lifetime = new AbortController()
  #waiting: Change[] = []
  #tiles: Tile[] = []
  #failures = 0
  #hasAllEpochs = false
  #readings = new Map<string, { again: boolean }>()

  constructor(parts: PictureParts) {
    this.#parts = parts
    this.#watchConnection()
  }

  /** Fills the picture until the returned function is called. What was read stays. */
  attach(): () => void {
    const { live } = this.#parts
    this.#lifetime = new AbortController()
    const pace = paced(() => this.#flush())
    const changed = (change: Change): void => {
      // What waits while the tab is hidden is bounded; beyond that, everything is read again.
      if (this.#waiting.length <= MOST_WAITING) this.#waiting.push(change)
      pace.soon()
    }
    const arrived = (tile: Tile): void => {
      if (this.#tiles.length <= MOST_WAITING) this.#tiles.push(tile)
      pace.soon()
    }
    const stops = [
      live.follow(
        'blocks',
        follower(() => this.#readHead(), this.#heardBlock(arrived)),
      ),
      live.follow(
        'commitments',
        follower(() => this.#readEpochs(), this.#heardCommitment(changed)),
      ),
      live.follow(
        'items',
        follower(() => this.#countSubmitted(), this.#heardItem(changed)),
      ),
      pace.stop,
    ]
    return () => {
      this.#lifetime.abort()
      this.#waiting = []
      this.#tiles = []
      for (const stop of stops) stop()
    }
  }

  async loadOlder(): Promise<void> {
    const { list, older } = this.state.read()
    const first = list.tiles[0]
    if (first === undefined || (older !== 'idle' && older !== 'failed')) return
    this.#change({ older: 'loading' })
    try {
      const tiles = readTiles(await this.#parts.api.get(tilesPath(first.height), this.#lifetime.signal))
      const next = withTiles({ ...this.state.read(), older: tiles.length === 0 ? 'end' : 'unknown' }, tiles)
      // The chain was replaced meanwhile, so these blocks are not its own.
      if (next !== null) this.state.write(next)
      else this.#change({ older: 'idle' })
      await this.#olderEpochs()
    } catch {
      this.#change({ older: this.#lifetime.signal.aborted ? 'idle' : 'failed' })
    }
  }

  /** Called while only the newest blocks are in view, so that a page kept open for days does as little as a new one. */
  forgetOld(): void {
    this.#hasAllEpochs = false
    this.state.write(withNewest(this.state.read(), FORGET_ABOVE / 2))
  }

  #readHead = (): Promise<void> =>
    this.#reading('blocks', async (signal) => {
      const tiles = readTiles(await this.#parts.api.get(tilesPath(null), signal))
      const state = this.state.read()
      const joined = withTiles(state, tiles)
      if (joined === null) this.#hasAllEpochs = false
      this.state.write({ ...(joined ?? begunWith(state, tiles)), problem: null })
      if (state.submitted === null && !this.#readings.has('submitted')) void this.#countSubmitted()
      if (joined === null) await this.#readEpochs()
      else await this.#olderEpochs()
    })

  #readEpochs = (): Promise<void> =>
    this.#reading('epochs', async (signal) => {
      const page = readEpochPage(await this.#parts.api.get(epochsPath(null), signal))
      if (page.length < EPOCHS_PER_PAGE) this.#hasAllEpochs = true
      this.state.write(withEpochs(this.state.read(), page))
      await this.#olderEpochs()
    })

  /** Reads on until the oldest block of the picture has its epoch. */
  async #olderEpochs(): Promise<void> {
    for (let pages = 0; pages < EPOCH_PAGES; pages += 1) {
      const { epochs, list } = this.state.read()
      const oldest = epochs.at(-1)
      const first = list.tiles[0]
      const isEnough = oldest === undefined || first === undefined || oldest.firstId <= first.id
      if (isEnough || this.#hasAllEpochs || epochs.length >= MOST_EPOCHS) return
      const page = readEpochPage(
        await this.#parts.api.get(epochsPath(oldest.closedAt), this.#lifetime.signal),
      )
      const next = withEpochs(this.state.read(), page)
      if (next.epochs.length === epochs.length) this.#hasAllEpochs = true
      this.state.write(next)
    }
  }

  #countSubmitted = (): Promise<void> =>
    this.#reading('submitted', async (signal) => {
      const head = this.state.read().list.tiles.at(-1)
      const beacon = this.#parts.feed.state.read().list.rows[0]
      const headAt = head?.at ?? (beacon === undefined ? null : Date.parse(beacon.timestamp))
      if (headAt === null) return
      const document = await this.#parts.api.get(submittedPath(headAt), signal)
      const page = isJsonObject(document) ? objectAt(document.meta, 'page') : null
      const total = numberAt(page, 'total')
      if (total === null) return
      this.#change({ submitted: nothingSubmitted })
      const now = Date.now() + this.#parts.clockOffset.read()
      this.state.write(withSubmitted(this.state.read(), now, total))
    })

  #heardBlock = (arrived: (tile: Tile) => void) => (event: string, body: unknown) => {
    if (event === 'blocks.burst') {
      if ((numberAt(objectAt(body, 'by_kind'), 'block.finalized') ?? 0) > 0) void this.#readHead()
      return
    }
    const tile = tileOfEvent(objectAt(body, 'data'))
    if (tile !== null) arrived(tile)
  }

  #heardCommitment = (changed: (change: Change) => void) => (event: string, body: unknown) => {
    const data = objectAt(body, 'data')
    const epochId = textAt(data, 'epoch_id')
    if (epochId === null || event === 'commitments.burst') return void this.#readEpochs()
    const commitment = {
      state: commitmentState(textAt(data, 'state') ?? ''),
      confirmedAt: textAt(data, 'confirmed_at'),
    }
    changed((state) => {
      const next = withCommitment(state, epochId, commitment)
      if (next === null) void this.#readEpochs()
      return next ?? state
    })
  }

  #heardItem = (changed: (change: Change) => void) => (event: string, body: unknown) => {
    const burst = event === 'items.burst'
    if (!burst && event !== 'item.created') return
    const items = burst ? (numberAt(objectAt(body, 'by_kind'), 'item.created') ?? 0) : 1
    const at = Date.parse(textAt(body, burst ? 'last_at' : 'at') ?? '')
    if (!Number.isNaN(at))
      changed((state) => (state.submitted === null ? state : withSubmitted(state, at, items)))
  }

  #flush(): void {
    const changes = this.#waiting
    const tiles = this.#tiles
    this.#waiting = []
    this.#tiles = []
    const isFlood = changes.length + tiles.length > MOST_WAITING
    let state = isFlood ? null : withTiles(this.state.read(), inPicture(this.state.read(), tiles))
    for (const change of isFlood ? [] : changes) state = state === null ? null : change(state)
    if (state !== null) this.state.write(state)
    else void this.#readHead().then(this.#readEpochs).then(this.#countSubmitted)
  }

  /** One request of a kind at a time. Asked for meanwhile, it is made once more. Retried until it succeeds. */
  async #reading(kind: string, read: (signal: AbortSignal) => Promise<void>): Promise<void> {
    const { signal } = this.#lifetime
    const running = this.#readings.get(kind)
    if (running !== undefined) {
      running.again = true
      return
    }
    const reading = { again: true }
    this.#readings.set(kind, reading)
    try {
      while (reading.again && !signal.aborted) {
        reading.again = false
        await read(signal)
        this.#failures = 0
      }
    } catch (error) {
      if (signal.aborted) return
      this.#failures += 1
      if (kind === 'blocks') this.#change({ problem: messageOf(error) })
      setTimeout(
        () => signal.aborted || void this.#reading(kind, read),
        retryDelay(this.#failures, Math.random(), 0),
      )
    } finally {
      this.#readings.delete(kind)
      // Asked for by a new attachment, while the request of the old one was being aborted.
      if (reading.again && signal.aborted && !this.#lifetime.signal.aborted) void this.#reading(kind, read)
    }
  }

  /** The connection belongs to the sign-in, and so does this feed, so nothing has to end this. */
  #watchConnection(): void {
    const { feed, clockOffset } = this.#parts
    let replaced = feed.state.read().replaced
    feed.state.subscribe(() => {
      const { connection, replaced: now } = feed.state.read()
      if (now !== replaced) {
        replaced = now
        this.#change({ ...emptyPicture, absences: this.state.read().absences })
        this.#hasAllEpochs = false
        if (!this.#lifetime.signal.aborted) void this.#readHead()
      }
      if (connection.phase !== 'offline' && connection.phase !== 'live') return
      const serverNow = Date.now() + clockOffset.read()
      const absences = noteConnection(this.state.read().absences, connection.phase === 'offline', serverNow)
      if (absences !== this.state.read().absences) this.#change({ absences })
    })
  }

  #change = (change: Partial<PictureState>): void => this.state.write({ ...this.state.read(), ...change })
}

const follower = (opened: () => Promise<void>, heard: Follower['heard']): Follower => ({
  opened: () => void opened(),
  closed: () => undefined,
  heard,
})

/** An event about a block before the oldest tile says nothing that the picture shows. */
const inPicture = ({ list }: PictureState, tiles: readonly Tile[]): readonly Tile[] => {
  const first = list.tiles[0]
  return first === undefined ? tiles : tiles.filter(({ height }) => height >= first.height)
}
