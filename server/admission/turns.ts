// Limits the requests that are processed at once. Large requests and lists take turns among callers, those who used the
// thread least first, and a busy process refuses.
import type { IncomingMessage } from 'node:http'
import type { Turn } from '../contract/expensive_reads.ts'
import type { Ceilings } from '../kernel/ceilings.ts'
import { type FairGate, fairGate, type Lasting, type Leave, whenOver } from '../kernel/flow/fair_gate.ts'
import { inPieces, type YieldToEventLoop } from '../kernel/flow/in_pieces.ts'
import { refuse } from '../kernel/refusal.ts'
import { loopShare } from './loop.ts'
import { type HeldPlaces, heldPlaces, type Leaving } from './unread_answer.ts'

/** Work that takes a turn: an answer on its way, or the call of a tool. */
type Work = Lasting & Partial<Leaving>

export interface Admission {
  /**
   * Counts the work until it is over: a request, until its answer was sent or its client disconnected.
   * @param key identifies the caller
   * @throws overloaded
   */
  readonly admit: (work: Work, key: string) => void
  /**
   * Resolves when a large request has its turn. The turn ends when the work is over, and is given up during expensive
   * reads. A caller who used more than its share of the thread's time waits longer while other callers are active.
   * @throws overloaded
   */
  readonly turn: (work: Work, key: string) => Promise<Turn>
  /** The turn of a list. @throws overloaded */
  readonly listTurn: (work: Work, key: string) => Promise<Turn>
  /** True when another caller sent a request recently. */
  readonly othersAreHere: (key: string) => boolean
  /** Requests of this caller that run or wait now. */
  readonly sideBySide: (key: string) => number
  /** For the long work of one request of this caller. */
  readonly yieldingFor: (key: string) => YieldToEventLoop
  readonly close: () => void
}

interface AdmissionOptions {
  readonly ceilings: Ceilings
  /** The current delay of the event loop in milliseconds. */
  readonly delayMs: () => number
}

/**
 * Milliseconds that a large request or a list waits for its turn at most. Whoever sends one after the other waits
 * for a rest of its own, and for the answers that leave just now.
 */
const PATIENCE_MS = 30_000

/** Shares of the thread's time for large requests and lists, while other callers are active. */
const SHARE = { share: 0.1, inAll: 0.3, free: 60, longest: 15_000 } as const

/** This part of the requests under way is for callers who have none. */
const SPARE = 10

/** A larger body takes enough work to delay other requests noticeably. */
const LARGE_BODY_BYTES = 16_384

/** True for a large declared length, and for a chunked body, whose length is unknown. */
export const hasLargeBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > LARGE_BODY_BYTES

export function createAdmission({ ceilings, delayMs }: AdmissionOptions): Admission {
  const shares = loopShare(SHARE)
  const pieces = inPieces()
  const turns = {
    waitingPerKey: ceilings.large_requests_waiting,
    waiting: ceilings.requests,
  }
  const gate = fairGate({
    ...turns,
    total: ceilings.large_requests,
    perKey: ceilings.large_requests_per_caller,
    full: () => overloaded('too many large requests wait already', ceilings.large_requests_waiting),
    late: () => overloaded('other large requests took all the time', ceilings.large_requests),
  })
  const lists = fairGate({
    ...turns,
    total: ceilings.lists,
    perKey: ceilings.lists_per_caller,
    full: () => overloaded('too many lists wait already', ceilings.large_requests_waiting),
    late: () => overloaded('other lists took all the time', ceilings.lists_per_caller),
  })
  const underWayOf = new Map<string, number>()
  let underWay = 0
  const enter = async (within: FairGate, work: Work, key: string, goesOn: boolean): Promise<Leave> => {
    const leave = await within.enter(key, PATIENCE_MS, { work, cost: () => shares.owedBy(key), goesOn })
    const end = shares.begin(key)
    const { socket } = work
    const before = socket?.bytesWritten ?? 0
    return (restMs) => {
      const rest = end((socket?.bytesWritten ?? before) - before)
      leave(restMs ?? rest)
    }
  }
  const take = async (within: FairGate, held: HeldPlaces, work: Work, key: string): Promise<Turn> => {
    let leave: Leave | undefined
    const giveUp = (restMs?: number): void => {
      held.remove(work)
      leave?.(restMs)
      leave = undefined
    }
    const begin = async (goesOn: boolean): Promise<void> => {
      leave = await enter(within, work, key, goesOn)
      if (work.closed) giveUp()
      else held.add(work, key)
    }
    await begin(false)
    whenOver(work, giveUp)
    // The rest comes when the work is over, so that what was read does not wait for it in memory.
    return { work, giveUp: () => giveUp(0), takeAgain: () => begin(true) }
  }
  const places = heldPlaces(gate)
  const placesOfLists = heldPlaces(lists)
  return Object.freeze({
    othersAreHere: shares.othersAreHere,
    sideBySide: (key: string) => underWayOf.get(key) ?? 0,
    yieldingFor: (key: string) => pieces.yieldingFor(key, () => shares.othersAreHere(key)),
    close: () => {
      places.close()
      placesOfLists.close()
    },
    admit: (work: Work, key: string) => {
      shares.note(key)
      const own = underWayOf.get(key) ?? 0
      // The last places go to callers who have none.
      const free = ceilings.requests - underWay
      if (free < 1 || (own > 0 && own >= free - Math.floor(ceilings.requests / SPARE)))
        throw overloaded('too many requests are under way', ceilings.requests)
      underWayOf.set(key, own + 1)
      underWay += 1
      whenOver(work, () => {
        underWay -= 1
        const left = (underWayOf.get(key) ?? 1) - 1
        if (left > 0) underWayOf.set(key, left)
        else underWayOf.delete(key)
      })
    },
    turn: async (work: Work, key: string) => {
      // When the process is behind, a caller may have only one large request, so that every caller can have one.
      if (gate.isBusy(key) && delayMs() > ceilings.loop_delay_ms)
        throw overloaded('the server is behind with what it does', ceilings.loop_delay_ms)
      return take(gate, places, work, key)
    },
    listTurn: (work: Work, key: string) => take(lists, placesOfLists, work, key),
  })
}

const overloaded = (detail: string, maximum: number) => refuse('overloaded', { detail, meta: { maximum } })
