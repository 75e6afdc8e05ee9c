// Limits the requests that are processed at once. Large requests take turns among callers,
// and a busy process refuses.
import type { IncomingMessage } from 'node:http'
import type { Ceilings } from '../../kernel/ceilings.ts'
import { type FairGate, fairGate } from '../../kernel/fair_gate.ts'
import { loopShare } from '../../kernel/loop_share.ts'
import { refuse } from '../../kernel/refusal.ts'

/** What holds a place or a turn until it is over: an answer on its way (`ServerResponse`), or a call of a tool. */
export interface Lasting {
  readonly closed: boolean
  once(event: 'close', done: () => void): unknown
}

export interface Admission {
  /**
   * Counts the work until it is over: a request, until its answer was sent or its client disconnected.
   * @param key identifies the caller
   * @throws overloaded
   */
  readonly admit: (work: Lasting, key: string) => void
  /**
   * Resolves when a large request has its turn. The turn ends when the work is over. A caller who used more than its
   * share of the thread's time waits longer while other callers are active.
   * @throws overloaded
   */
  readonly turn: (work: Lasting, key: string) => Promise<void>
  /**
   * The turn of a list. Several lists of one caller may wait for the database at once. An expensive list is refused
   * at once when as many of the caller's expensive reads already run or wait as are allowed.
   * @throws overloaded
   */
  readonly listTurn: (work: Lasting, key: string, isExpensive: boolean) => Promise<void>
  /** True when another caller sent a request recently. */
  readonly othersAreHere: (key: string) => boolean
}

export interface AdmissionOptions {
  readonly ceilings: Ceilings
  /** The current delay of the event loop in milliseconds. */
  readonly delayMs: () => number
}

/** Milliseconds that a large request waits for its turn at most. */
const PATIENCE_MS = 10_000

/** One caller's share of the thread's time for large requests and lists, while other callers are active. */
const SHARE = { share: 0.1, free: 60, longest: 5_000 } as const

/** A larger body takes enough work to delay other requests noticeably. */
const LARGE_BODY_BYTES = 16_384

/** True for a large declared length, and for a chunked body, whose length is unknown. */
export const hasLargeBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > LARGE_BODY_BYTES

export function createAdmission({ ceilings, delayMs }: AdmissionOptions): Admission {
  const gate = fairGate({
    total: ceilings.large_requests,
    perKey: ceilings.large_requests_per_caller,
    waitingPerKey: ceilings.large_requests_waiting,
    waiting: ceilings.requests,
    full: () => overloaded('too many large requests wait already', ceilings.large_requests_waiting),
    late: () => overloaded('other large requests took all the time', ceilings.large_requests),
  })
  const expensive = ceilings.expensive_reads + ceilings.expensive_reads_waiting
  const expensiveLists = fairGate({
    total: ceilings.lists,
    perKey: expensive,
    waitingPerKey: 0,
    waiting: 0,
    full: () => overloaded('too many expensive reads wait already', expensive),
    late: () => overloaded('other lists took all the time', expensive),
  })
  const lists = fairGate({
    total: ceilings.lists,
    perKey: ceilings.lists_per_caller,
    waitingPerKey: ceilings.large_requests_waiting,
    waiting: ceilings.requests,
    full: () => overloaded('too many lists wait already', ceilings.large_requests_waiting),
    late: () => overloaded('other lists took all the time', ceilings.lists_per_caller),
  })
  const shares = loopShare(SHARE)
  let underWay = 0
  const enter = async (within: FairGate, work: Lasting, key: string): Promise<void> => {
    const leave = await within.enter(key, PATIENCE_MS)
    const end = shares.begin(key)
    whenOver(work, () => leave(end()))
  }
  return Object.freeze({
    othersAreHere: shares.othersAreHere,
    admit: (work: Lasting, key: string) => {
      shares.note(key)
      if (underWay >= ceilings.requests)
        throw overloaded('too many requests are under way', ceilings.requests)
      underWay += 1
      whenOver(work, () => {
        underWay -= 1
      })
    },
    turn: async (work: Lasting, key: string) => {
      // When the process is behind, a caller may have only one large request, so that every caller can have one.
      if (gate.isBusy(key) && delayMs() > ceilings.loop_delay_ms)
        throw overloaded('the server is behind with what it does', ceilings.loop_delay_ms)
      await enter(gate, work, key)
    },
    listTurn: (work: Lasting, key: string, isExpensive: boolean) =>
      enter(isExpensive ? expensiveLists : lists, work, key),
  })
}

/** Calls `done` when the work is over. */
export function whenOver(work: Lasting, done: () => void): void {
  if (work.closed) done()
  else work.once('close', done)
}

const overloaded = (detail: string, maximum: number) => refuse('overloaded', { detail, meta: { maximum } })
