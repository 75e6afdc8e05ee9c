// Fills the picture: reads the newest blocks at once, they and the epochs at each new connection, and follows the streams.
// There is one for each sign-in; what it has read stays while other pages are shown.
import { useEffect, useMemo } from 'react'
import type { BeaconFeed } from '../chain/beacon_feed.ts'
import { useChain } from '../chain/chain_context.ts'
import { commitmentState, epochsPath, readEpochs } from '../commitments/epoch.ts'
import type { Api } from '../data/api_client.ts'
import { messageOf } from '../data/api_failure.ts'
import { useConsole } from '../data/console_context.ts'
import { isJsonObject, numberAt, objectAt, textAt } from '../data/json_object.ts'
import { LARGEST_PAGE, pageOf } from '../data/resource.ts'
import { waitAfter } from '../data/retry_schedule.ts'
import { called, shape, textOrNull } from '../data/shape.ts'
import { Store } from '../data/store.ts'
import type { LiveEvents, LiveStream } from '../data/stream/live_events.ts'
import { changed, countSubmitted, EMPTY_PICTURE, type Picture, type PictureChange } from './picture_state.ts'
import { readTiles, TILES_PATH, tileOf } from './tile.ts'

type PictureParts = {
  readonly api: Api
  readonly live: LiveEvents
  readonly feed: BeaconFeed
  readonly clockOffset: Store<number>
}

/** What is read, each by a request of its own. */
type Reading = 'blocks' | 'epochs' | 'submitted' | 'own'

/** Drawn at most this often, and not while the tab is hidden. */
const DRAWN_EVERY_MS = 1_000

/** The event of a block comes after its beacon, later by as long as any older transaction of the database server runs. */
const LOOK_AFTER_MS = 5_000

export class PictureFeed {
  readonly state = new Store<Picture>(EMPTY_PICTURE)
  readonly #parts: PictureParts
  /** Ahead of what is drawn. */
  #now = EMPTY_PICTURE
  #lifetime = new AbortController()
  #failures = 0
  #readings = new Map<Reading, { again: boolean }>()
  /** Read before their stream was open. */
  readonly #begun = new Set<Reading>()
  readonly #open = new Set<LiveStream>()
  /** When the last count was answered, in milliseconds of the service's clock. */
  #countedAt = 0
  #timer: ReturnType<typeof setTimeout> | null = null
  #drawnAt = 0

  constructor(parts: PictureParts) {
    this.#parts = parts
    this.#watchConnection()
  }

  /** Fills the picture until the returned function is called. What was read stays. */
  attach(): () => void {
    this.#lifetime = new AbortController()
    const follow = (
      stream: LiveStream,
      readings: readonly Reading[],
      heard: (event: string, body: unknown) => void,
    ): (() => void) =>
      this.#parts.live.follow(stream, {
        opened: () => {
          this.#open.add(stream)
          for (const reading of readings) if (!this.#begun.delete(reading)) void this.#read(reading)
        },
        closed: () => this.#open.delete(stream),
        heard,
      })
    const stops = [
      follow('blocks', ['blocks'], this.#heardBlock),
      follow('commitments', ['epochs'], this.#heardCommitment),
      follow('items', ['submitted', 'own'], this.#heardItem),
    ]
    document.addEventListener('visibilitychange', this.#draw)
    // The page waits for them with its first paint, and must not wait for a connection as well.
    if (!this.#now.isRead) this.#begin('blocks')
    if (this.#now.hasItems === null) this.#begin('own')
    return () => {
      this.#lifetime.abort()
      document.removeEventListener('visibilitychange', this.#draw)
      for (const stop of stops) stop()
      this.#begun.clear()
      this.#open.clear()
    }
  }

  /** The event of a block may have come before its stream was open. */
  #lookFor(id: string): void {
    if (this.#now.isRead && (this.#now.tiles.at(-1)?.id ?? '') < id) void this.#read('blocks')
  }

  #begin(reading: Reading): void {
    this.#begun.add(reading)
    void this.#read(reading)
  }

  #change(change: PictureChange): void {
    const hadWaiting = (countSubmitted(this.#now) ?? 0) > 0
    const head = this.#now.tiles.at(-1)?.id
    this.#now = changed(this.#now, change)
    const isOver = this.#lifetime.signal.aborted
    if (this.#now.isBehind && !isOver) void this.#read('blocks')
    // What waited is in a block now, whichever way this page came to know the block.
    if (hadWaiting && this.#now.tiles.at(-1)?.id !== head && !isOver) void this.#read('own')
    this.#draw()
  }

  #draw = (): void => {
    const { isRead, hasItems } = this.state.read()
    if (document.hidden || this.#timer !== null || this.state.read() === this.#now) return
    // The page waits for them.
    const isFirst = !isRead || hasItems === null
    const wait = isFirst ? 0 : this.#drawnAt + DRAWN_EVERY_MS - Date.now()
    const draw = (): void => {
      this.#timer = null
      this.#drawnAt = Date.now()
      this.state.write(this.#now)
    }
    if (wait <= 0) draw()
    else this.#timer = setTimeout(draw, wait)
  }

  #heardBlock = (event: string, body: unknown): void => {
    if (event === 'blocks.burst') {
      if ((numberAt(objectAt(body, 'by_kind'), 'block.finalized') ?? 0) > 0) void this.#read('blocks')
      return
    }
    const tile = tileOf(objectAt(body, 'data'))
    if (tile !== null) this.#change({ kind: 'block', tile })
  }

  #heardCommitment = (event: string, body: unknown): void => {
    const data = objectAt(body, 'data')
    const epochId = textAt(data, 'epoch_id')
    if (event === 'commitments.burst' || !this.#now.epochs.some(({ id }) => id === epochId))
      return void this.#read('epochs')
    this.#change({
      kind: 'commitment',
      epochId: epochId ?? '',
      state: commitmentState(textAt(data, 'state') ?? ''),
      confirmedAt: textAt(data, 'confirmed_at'),
    })
  }

  #heardItem = (event: string, body: unknown): void => {
    const isBurst = event === 'items.burst'
    if (event === 'item.redacted' || event === 'item.deleted') void this.#read('own')
    if (!isBurst && event !== 'item.created') return
    const items = isBurst ? (numberAt(objectAt(body, 'by_kind'), 'item.created') ?? 0) : 1
    const at = Date.parse(textAt(body, isBurst ? 'last_at' : 'at') ?? '')
    if (items === 0 || Number.isNaN(at)) return
    const from = isBurst ? Date.parse(textAt(body, 'first_at') ?? '') : at
    // An event may come long after its item, so that the last count has it already; and the count under way may have been
    // made before it.
    if (!(from > this.#countedAt) || this.#readings.has('submitted')) void this.#read('submitted')
    else this.#change({ kind: 'submitted', at, items })
  }

  /** One request of a kind at a time. Asked for meanwhile, it is made once more. Retried until it succeeds. */
  async #read(kind: Reading): Promise<void> {
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
        const change = await this.#ask(kind, signal)
        this.#failures = 0
        if (change !== null && !signal.aborted) this.#change(change)
        // Events that come all the time would otherwise ask all the time.
        if (reading.again) await new Promise((next) => setTimeout(next, DRAWN_EVERY_MS))
      }
      // What waits is counted from the newest block on, and when no item is missed any more.
      if (kind === 'blocks' && this.#now.submitted === null && this.#open.has('items'))
        void this.#read('submitted')
    } catch (error) {
      if (signal.aborted) return
      this.#failures += 1
      if (kind === 'blocks') this.#change({ kind: 'failed', why: messageOf(error) })
      if (kind === 'own') this.#change({ kind, own: this.#now.own, hasItems: this.#now.hasItems ?? true })
      setTimeout(() => signal.aborted || void this.#read(kind), waitAfter(this.#failures, error))
    } finally {
      this.#readings.delete(kind)
      // Asked for by a new attachment, while the request of the old one was being aborted.
      if (reading.again && signal.aborted && !this.#lifetime.signal.aborted) void this.#read(kind)
    }
  }

  async #ask(kind: Reading, signal: AbortSignal): Promise<PictureChange | null> {
    const { api, clockOffset } = this.#parts
    switch (kind) {
      case 'blocks':
        return { kind: 'read', tiles: readTiles(await api.get(TILES_PATH, signal)) }
      case 'epochs':
        return { kind: 'epochs', epochs: readEpochs(await api.get(epochsPath(LARGEST_PAGE), signal)) }
      case 'submitted': {
        const head = this.#now.tiles.at(-1)
        if (head === undefined) return null
        const document = await api.get(submittedPath(head.at), signal)
        const items = numberAt(isJsonObject(document) ? objectAt(document.meta, 'page') : null, 'total')
        if (items === null) return null
        // A block that came meanwhile holds some of them.
        if (this.#now.tiles.at(-1)?.id !== head.id) {
          void this.#read('submitted')
          return null
        }
        this.#countedAt = Date.now() + clockOffset.read()
        return { kind: 'counted', at: this.#countedAt, items }
      }
      case 'own':
        return ownOf(readOwn(await api.get(OWN_PATH, signal)).rows)
      default:
        return kind satisfies never
    }
  }

  /** The connection belongs to the sign-in, and so does this feed, so nothing has to end this. */
  #watchConnection(): void {
    const { feed, clockOffset } = this.#parts
    let { connection: was, replaced: before } = feed.state.read()
    let newest = ''
    feed.state.subscribe(() => {
      const { connection, replaced, list } = feed.state.read()
      const head = list.rows[0]?.id ?? ''
      if (head > newest) setTimeout(() => this.#lookFor(head), LOOK_AFTER_MS)
      newest = head
      if (replaced !== before) this.#change({ kind: 'replaced' })
      before = replaced
      const isNew = connection.phase !== was.phase
      was = connection
      if (!isNew || (connection.phase !== 'offline' && connection.phase !== 'live')) return
      const now = Date.now() + clockOffset.read()
      this.#change({ kind: 'connection', isOffline: connection.phase === 'offline', now })
    })
  }
}

/** The number of items since then, in one row of the list's count. */
const submittedPath = (headAt: number): string =>
  '/api/json/items?page[limit]=1&page[count]=true&fields[item]=' +
  `&filter[inserted_at][greater_than]=${encodeURIComponent(new Date(headAt).toISOString())}`

/** As many flags as the picture has room for. */
const OWN_PATH = '/api/json/items?page[limit]=25&fields[item]=display_name,block_id'

const readItem = shape({ name: called('display_name', textOrNull), blockId: textOrNull })
const readOwn = pageOf(readItem)

const ownOf = (items: readonly ReturnType<typeof readItem>[]): PictureChange => {
  const own = new Map<string, string[]>()
  for (const { name, blockId } of items)
    if (name !== null && blockId !== null) own.set(blockId, [...(own.get(blockId) ?? []), name])
  return { kind: 'own', own, hasItems: items.length > 0 }
}

const pictures = new WeakMap<Api, PictureFeed>()

export const usePicture = (): PictureFeed => {
  const { api, live, clockOffset } = useConsole()
  const { feed } = useChain()
  const picture = useMemo(() => {
    const held = pictures.get(api) ?? new PictureFeed({ api, live, feed, clockOffset })
    pictures.set(api, held)
    return held
  }, [api, live, feed, clockOffset])
  useEffect(() => picture.attach(), [picture])
  return picture
}
