// Lets readers of the chain go on from where they were. They read pages in turns, so that one that catches up does not
// delay the others.
import { setTimeout as pause } from 'node:timers/promises'
import type { EntityManager } from '@mikro-orm/postgresql'
import { type FairGateOptions, fairGate } from '../../kernel/flow/fair_gate.ts'
import { underWay } from '../../kernel/flow/shared_work.ts'
import { lanes } from '../../kernel/flow/side_by_side.ts'
import type { Log } from '../../kernel/log.ts'
import { lru } from '../../kernel/lru.ts'
import { refuse } from '../../kernel/refusal.ts'
import { beaconById, beaconsAbove, type PlacedBeacon } from './beacon.ts'
import type { BeaconFeed } from './beacon_feed.ts'

interface Reader {
  /** Identifies the caller, whose readers share turns. */
  readonly key: string
  /** The last beacon that it was given, never above the feed's head. Undefined when it has ended. */
  readonly place: () => PlacedBeacon | undefined
  /**
   * Takes the beacons that follow on its place, none of them before the feed has told it. Returns the milliseconds of
   * this thread that they cost.
   */
  readonly take: (beacons: readonly PlacedBeacon[]) => Promise<number> | number
}

/** Pages that are read and sent at the same time, in total and per caller. Each reader may also have one that waits. */
const TURNS: FairGateOptions = {
  total: 16,
  perKey: 1,
  waitingPerKey: Number.POSITIVE_INFINITY,
  waiting: Number.POSITIVE_INFINITY,
  full: () => new Error('The connections have a ceiling, and so have their readers.'),
  late: () => new Error('Nobody waits for a page with a deadline.'),
}

/** Milliseconds of this thread that reading a page uses at most. Waiting for the database does not use this thread. */
const READ_MS = 3

/** A turn lasts for this many times what it cost, so catching up uses at most a tenth of this thread for each caller. */
const REST = 9

/** Milliseconds until the next read after one that failed or brought nothing. */
const RETRY_MS = 250

const PLACE_TRIES = 3

export type CatchUp = ReturnType<typeof openCatchUp>

/** Create one per server, so that its readers share pages and turns, whatever stream they belong to. */
export function openCatchUp({
  em,
  feed,
  log,
}: {
  readonly em: () => EntityManager
  /** Lives as long as this does. */
  readonly feed: BeaconFeed
  readonly log: Log
}) {
  const pageAbove = beaconPages({ em, feed })
  const turns = fairGate(TURNS)

  /** Returns the milliseconds of this thread that the step used, and whether to wait before the next step. */
  const step = async ({ place, take }: Reader, from: PlacedBeacon) => {
    const began = performance.now()
    const page = await pageAbove(from.height)
    const read = Math.min(performance.now() - began, READ_MS)
    // It has ended, or the chain was replaced during the read, so the page may belong to the lost chain.
    if (place() !== from) return { took: read, stuck: false }
    const follows = page[0] === undefined || page[0].beacon.previous_hash === from.beacon.hash
    const known = follows ? page.filter(({ height }) => height <= feed.head().height) : []
    if (known.length > 0) return { took: read + (await take(known)), stuck: false }
    // The page is newer than the feed, or belongs to another chain. The feed must look again and notify everybody.
    await feed.refresh()
    const stuck = page.length === 0 || !follows || feed.head().height <= from.height
    return { took: read, stuck: stuck && place() === from }
  }

  return Object.freeze({
    feed,
    /**
     * Finds a beacon of this ledger that is not above the feed's head. The head needs no query, and most readers go on
     * after the head. If another server has told a newer beacon first, this waits until the feed has it. If the chain is
     * replaced during the read, it reads again. Undefined for a beacon that the ledger does not have.
     * @throws database_unavailable when no attempt gave a certain result
     */
    placeOf: async (id: string): Promise<PlacedBeacon | undefined> => {
      for (let tries = 0; tries < PLACE_TRIES; tries += 1) {
        const head = feed.head()
        if (head.beacon.id === id) return head
        const replaced = feed.replaced()?.head
        const placed = await beaconById(em(), id)
        if (placed === undefined) {
          // This reader may be the first to discover that the chain was replaced.
          await feed.refresh()
          return undefined
        }
        if (placed.height > feed.head().height) await feed.refresh()
        if (placed.height <= feed.head().height && feed.replaced()?.head === replaced) return placed
      }
      throw refuse('database_unavailable')
    },
    /**
     * The function that it returns gives the reader its next page, or waits a moment when there is none. It never rejects.
     * Call it while the place of the reader is not the feed's head, one call at a time.
     */
    forReader: (reader: Reader) => {
      let failing = false
      return async (): Promise<void> => {
        const leave = await turns.enter(reader.key)
        const from = reader.place()
        if (from === undefined) return leave()
        let took = READ_MS
        let stuck = true
        try {
          ;({ took, stuck } = await step(reader, from))
          failing = false
        } catch (error) {
          if (!failing) log.warn({ err: error, cursor: from.height }, 'stream.pump_read_failed')
          failing = true
        } finally {
          setTimeout(leave, REST * took)
        }
        if (stuck) await pause(RETRY_MS)
      }
    },
  })
}

const PAGE = 250
/** Concurrent reads. The other connections of the pool remain for requests. */
const LANES = 4
/** The most full pages in the cache, about 200 KB each with their frames. */
const KEPT = 32

/**
 * Pages of beacons, shared by all readers of a server, because thousands of clients request the same pages after a
 * restart: the next beacons above a height, oldest first, at most one page. Concurrent calls for the same page share
 * one read. A full page never changes, so it is cached, and repeated calls cost no query. Create one per feed, which it
 * listens to for good. It drops its cache when the chain is replaced.
 */
function beaconPages({ em, feed }: { em: () => EntityManager; feed: BeaconFeed }) {
  const reading = underWay<number, readonly PlacedBeacon[]>()
  let kept = lru<number, readonly PlacedBeacon[]>(KEPT)
  const inLane = lanes(LANES)

  const read = async (height: number): Promise<readonly PlacedBeacon[]> => {
    const into = kept
    const page = await beaconsAbove(em(), height, PAGE)
    // If the chain was replaced during the read, `into` is the discarded cache, so the page is not reused.
    if (height % PAGE === 0 && page.length === PAGE) into.set(height, page)
    return page
  }

  const shared = (height: number): Promise<readonly PlacedBeacon[]> =>
    reading.join(height, () => inLane(() => read(height)))

  feed.onReplaced(() => {
    kept = lru(KEPT)
  })

  return async (height: number): Promise<readonly PlacedBeacon[]> => {
    const from = height - (height % PAGE)
    // The last page is not full yet, so only the rows above the requested height are read, usually a few.
    if (from + PAGE > feed.head().height) return shared(height)
    const whole = kept.get(from) ?? (await shared(from))
    return height === from ? whole : whole.filter((placed) => placed.height > height)
  }
}
