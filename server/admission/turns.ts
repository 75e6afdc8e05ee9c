// Limits the requests that are processed at once. Large requests and lists take turns among callers, those who used the
// thread least first, and a busy process refuses. The connection of a client that takes nothing of its answer, or is slow
// while others wait for its place, is cut: a large answer that waits for its client keeps its memory, and the turn of its
// caller, from others; so does a large body.
import type { IncomingMessage } from 'node:http'
import type { Turn } from '../contract/expensive_reads.ts'
import type { Ceilings } from '../kernel/ceilings.ts'
import { type FairGate, fairGate, type Leave } from '../kernel/flow/fair_gate.ts'
import { inPieces, type YieldToEventLoop } from '../kernel/flow/in_pieces.ts'
import { type Lasting, whenOver } from '../kernel/flow/lasting.ts'
import { Tally } from '../kernel/flow/tally.ts'
import { refuse } from '../kernel/refusal.ts'
import { loopShare } from './loop.ts'

/** Work that takes a turn: an answer on its way, or the call of a tool. */
type Work = Lasting & Partial<Leaving>

/**
 * Milliseconds that a large request or a list waits for its turn at most. Whoever sends one after the other waits
 * for a rest of its own, and for the answers that leave just now.
 */
const PATIENCE_MS = 30_000

/** Shares of the thread's time for large requests and lists, while other callers are active. */
const SHARE = { share: 0.1, inAll: 0.3, free: 60, longest: 15_000 } as const

/** This part of the requests under way is for callers who have none. */
const SPARE = 10

/** A list computes until it asks the database, when that answers, and when it writes its answer. */
const PARTS_OF_LIST = 3

/** A larger body takes enough work to delay other requests noticeably. */
const LARGE_BODY_BYTES = 16_384

/** True for a large declared length, and for a chunked body, whose length is unknown. */
export const hasLargeBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > LARGE_BODY_BYTES

export type Admission = ReturnType<typeof createAdmission>

/** A request that is counted. While it waits for something that it does not compute it need not be. */
export interface Admitted {
  readonly rest: () => void
  /** @throws overloaded */
  readonly resume: () => void
}

/** @param delayMs the current delay of the event loop in milliseconds */
export function createAdmission({
  ceilings,
  delayMs,
}: {
  readonly ceilings: Ceilings
  readonly delayMs: () => number
}) {
  const shares = loopShare(SHARE)
  const pieces = inPieces()
  // Apart, because a piece of long work is followed by a rest.
  const smallPieces = inPieces()
  /** @param most turns at once, in all and of one caller, and the number that who came too late is told */
  const openTurns = (what: string, most: { total: number; perKey: number; told: number }) => {
    const gate = fairGate({
      ...most,
      waitingPerKey: ceilings.large_requests_waiting,
      waiting: ceilings.requests,
      full: () => overloaded(`too many ${what} wait already`, ceilings.large_requests_waiting),
      late: () => overloaded(`other ${what} took all the time`, most.told),
    })
    const held = heldPlaces(gate)
    const take = async (work: Work, key: string): Promise<Turn> => {
      let leave: Leave | undefined
      const giveUp = (restMs?: number): void => {
        held.remove(work)
        leave?.(restMs)
        leave = undefined
      }
      const begin = async (resumes: boolean): Promise<void> => {
        const left = await gate.enter(key, PATIENCE_MS, { work, cost: () => shares.owedBy(key), resumes })
        const end = shares.begin(key)
        const { socket } = work
        const before = socket?.bytesWritten ?? 0
        leave = (restMs) => {
          const rest = end((socket?.bytesWritten ?? before) - before)
          left(restMs ?? rest)
        }
        if (work.closed) giveUp()
        else held.add(work, key)
      }
      await begin(false)
      whenOver(work, giveUp)
      // The rest comes when the work is over, so that what was read does not wait for it in memory.
      return { work, giveUp: () => giveUp(0), takeAgain: () => begin(true) }
    }
    return { take, isBusy: gate.isBusy, close: held.close }
  }
  const large = openTurns('large requests', {
    total: ceilings.large_requests,
    perKey: ceilings.large_requests_per_caller,
    told: ceilings.large_requests,
  })
  const lists = openTurns('lists', {
    total: ceilings.lists,
    perKey: ceilings.lists_per_caller,
    told: ceilings.lists_per_caller,
  })
  const underWayOf = new Tally()
  let underWay = 0
  /** @throws overloaded */
  const count = (key: string): void => {
    const own = underWayOf.of(key)
    // The last places go to callers who have none.
    const free = ceilings.requests - underWay
    if (free < 1 || (own > 0 && own >= free - Math.floor(ceilings.requests / SPARE)))
      throw overloaded('too many requests are under way', ceilings.requests)
    underWayOf.add(key, 1)
    underWay += 1
  }
  const uncount = (key: string): void => {
    underWay -= 1
    underWayOf.add(key, -1)
  }
  /**
   * For a request that is too small for a turn, and of which thousands come at the same moment: one of them computes in
   * one pass of the event loop, and all of them for half of the time. Undefined while no other caller is here.
   * @param parts of its work, of which the piece is the first: the others are rested for with it
   */
  const piece = (key: string, parts?: number): Promise<void> | undefined =>
    shares.othersAreHere(key) ? smallPieces.take(key, parts) : undefined
  return Object.freeze({
    /**
     * Counts the work until it is over: a request, until its answer was sent or its client disconnected.
     * @param key identifies the caller
     * @throws overloaded
     */
    admit: (work: Work, key: string): Admitted => {
      shares.note(key)
      let isIn = true
      count(key)
      const rest = (): void => {
        if (isIn) uncount(key)
        isIn = false
      }
      whenOver(work, rest)
      return {
        rest,
        resume: () => {
          if (isIn || work.closed) return
          count(key)
          isIn = true
        },
      }
    },
    /**
     * Resolves when a large request has its turn. The turn ends when the work is over, and is given up during expensive
     * reads. A caller who used more than its share of the thread's time waits longer while other callers are active.
     * @throws overloaded
     */
    turn: async (work: Work, key: string): Promise<Turn> => {
      // When the process is behind, a caller may have only one large request, so that every caller can have one.
      if (large.isBusy(key) && delayMs() > ceilings.loop_delay_ms)
        throw overloaded('the server is behind with what it does', ceilings.loop_delay_ms)
      return large.take(work, key)
    },
    /** The turn of a list. A crowd of callers who each have theirs computes as small requests do. @throws overloaded */
    listTurn: async (work: Work, key: string): Promise<Turn> => {
      const turn = await lists.take(work, key)
      await piece(key, PARTS_OF_LIST)
      return {
        ...turn,
        takeAgain: async () => {
          await turn.takeAgain()
          await piece(key, PARTS_OF_LIST)
        },
      }
    },
    /** True when another caller sent a request recently. */
    othersAreHere: shares.othersAreHere,
    /** Requests of this caller that run or wait now. */
    sideBySide: (key: string): number => underWayOf.of(key),
    /** For the long work of one request of this caller. */
    yieldingFor: (key: string): YieldToEventLoop => pieces.yieldingFor(key, () => shares.othersAreHere(key)),
    piece,
    close: (): void => {
      large.close()
      lists.close()
    },
  })
}

const overloaded = (detail: string, maximum: number) => refuse('overloaded', { detail, meta: { maximum } })

/** The parts of a `ServerResponse` that tell how its request arrives and how it leaves. */
interface Leaving {
  /** True from the beginning of the answer on. */
  readonly headersSent: boolean
  /** Bytes that the client has not taken yet. */
  readonly writableLength: number
  /** `readableLength` is what has arrived and is not read yet. */
  readonly req: { readonly complete: boolean; readonly readableLength: number }
  readonly socket: { readonly bytesWritten: number; readonly bytesRead: number } | null
  readonly destroy: () => unknown
}

/** Milliseconds in which a client may be slow while others wait for its place. */
const LONGEST_MS = 5_000
/** Milliseconds that its own caller waits before it is cut for that. Shorter than a wait for a turn may be. */
const OWN_WAIT_MS = 20_000
const LOOK_EVERY_MS = 500

/** Bytes between two looks. A client that leaves some untaken and takes fewer is slow, and so is one that sends fewer. */
const LEAST = { taken: 131_072, sent: 32_768 } as const

interface Moved {
  readonly taken: number
  readonly sent: number
}

/**
 * Keeps the answers that hold a place. While somebody without a place waits for one, an answer is cut whose client takes
 * it slowly, or sends its request slowly: one of the caller who holds most places. So is one whose own caller waits long,
 * or waits to go on and holds a connection of the database.
 */
export function heldPlaces(gate: Pick<FairGate, 'isWaitedFor' | 'isResumed' | 'waitsMs'>) {
  const held = new Map<
    Partial<Leaving>,
    { readonly key: string; moved: Moved; slowSince: number | undefined }
  >()
  const cutOne = (before: number): void => {
    const placesOf = new Tally()
    for (const { key } of held.values()) placesOf.add(key, 1)
    const isWaitedFor = gate.isWaitedFor()
    let most = 0
    let slowest: Partial<Leaving> | undefined
    for (const [answer, { key, slowSince }] of held) {
      const places = placesOf.of(key)
      if (slowSince === undefined || slowSince > before || places <= most) continue
      if (!isWaitedFor && !gate.isResumed(key) && gate.waitsMs(key) < OWN_WAIT_MS) continue
      most = places
      slowest = answer
    }
    slowest?.destroy?.()
  }
  const timer = setInterval(() => {
    const at = performance.now()
    for (const [answer, one] of held) {
      const moved = movedBy(answer)
      one.slowSince = isSlow(answer, moved, one.moved) ? (one.slowSince ?? at) : undefined
      one.moved = moved
    }
    cutOne(at - LONGEST_MS)
  }, LOOK_EVERY_MS).unref()
  return Object.freeze({
    add: (answer: Partial<Leaving>, key: string) =>
      void held.set(answer, { key, moved: { taken: 0, sent: 0 }, slowSince: undefined }),
    remove: (answer: Partial<Leaving>) => void held.delete(answer),
    close: () => clearInterval(timer),
  })
}

const movedBy = ({ writableLength = 0, socket }: Partial<Leaving>): Moved => ({
  taken: (socket?.bytesWritten ?? 0) - writableLength,
  sent: socket?.bytesRead ?? 0,
})

/** Whether its client moved too few bytes since `before`. What waits for us is not its fault. */
function isSlow(
  { headersSent, writableLength = 0, req }: Partial<Leaving>,
  now: Moved,
  before: Moved,
): boolean {
  // Once the answer has begun, nothing waits for the rest of a body.
  if (headersSent === true) return writableLength > 0 && now.taken - before.taken < LEAST.taken
  return req?.complete === false && req.readableLength === 0 && now.sent - before.sent < LEAST.sent
}
