// How much is done at once: requests have a ceiling, large ones go by turns among callers, and a busy process says so.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Ceilings } from '../../kernel/ceilings.ts'
import { type FairGate, fairGate } from '../../kernel/fair_gate.ts'
import { loopShare } from '../../kernel/loop_share.ts'
import { refuse } from '../../kernel/refusal.ts'

export interface Admission {
  /**
   * The request counts until its answer has left, or its client has.
   * @param key whose request it is
   * @throws overloaded
   */
  readonly admit: (response: ServerResponse, key: string) => void
  /**
   * Settles when a large request has its turn, which lasts as long. Whoever took more than a share of the thread's time
   * waits for the next turn while others are here.
   * @throws overloaded
   */
  readonly turn: (response: ServerResponse, key: string) => Promise<void>
  /**
   * The same for a list: several of a caller may wait for the database at once. Of those that are expensive there, one
   * more than may run and wait is told so at once.
   * @throws overloaded
   */
  readonly listTurn: (response: ServerResponse, key: string, isExpensive: boolean) => Promise<void>
  /** Somebody else asked lately. */
  readonly othersAreHere: (key: string) => boolean
}

export interface AdmissionOptions {
  readonly ceilings: Ceilings
  /** How late the process is, in milliseconds. */
  readonly delayMs: () => number
}

/** Milliseconds that a large request waits for its turn. */
const PATIENCE_MS = 10_000

/** Of the thread's time for one caller's large requests and lists, while others are here. */
const SHARE = { share: 0.1, free: 60, longest: 5_000 } as const

/** A body beyond this is work that others would notice. */
const LARGE_BODY_BYTES = 16_384

/** Of a declared length, and of a body whose length nobody knows. */
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
  const enter = async (within: FairGate, response: ServerResponse, key: string): Promise<void> => {
    const leave = await within.enter(key, PATIENCE_MS)
    const end = shares.begin(key)
    whenOver(response, () => leave(end()))
  }
  return Object.freeze({
    othersAreHere: shares.othersAreHere,
    admit: (response: ServerResponse, key: string) => {
      shares.note(key)
      if (underWay >= ceilings.requests)
        throw overloaded('too many requests are under way', ceilings.requests)
      underWay += 1
      whenOver(response, () => {
        underWay -= 1
      })
    },
    turn: async (response: ServerResponse, key: string) => {
      // Late already: one large request of a caller is enough, so that everybody has one.
      if (gate.isBusy(key) && delayMs() > ceilings.loop_delay_ms)
        throw overloaded('the server is behind with what it does', ceilings.loop_delay_ms)
      await enter(gate, response, key)
    },
    listTurn: (response: ServerResponse, key: string, isExpensive: boolean) =>
      enter(isExpensive ? expensiveLists : lists, response, key),
  })
}

/** The answer has left, or the client has. */
function whenOver(response: ServerResponse, done: () => void): void {
  if (response.closed) done()
  else response.once('close', done)
}

const overloaded = (detail: string, maximum: number) => refuse('overloaded', { detail, meta: { maximum } })
