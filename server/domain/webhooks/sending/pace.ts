// The pace of a visit: the bound that an owner sets on the requests per second of an endpoint.
import { setTimeout as wait } from 'node:timers/promises'

/** Milliseconds between two looks whether a wait still makes sense. */
const LOOK_MS = 200

export class Pace {
  /** Null for no bound. */
  readonly perSecond: number | null
  readonly #gapMs: number
  readonly #resting: (wait: () => Promise<boolean>) => Promise<boolean>
  /** When the next attempt may begin, by `performance.now()`. */
  #nextAt = 0
  /** The last turn that somebody waits for. */
  #last: Promise<unknown> = Promise.resolve()

  /** @param resting carries out each wait, during which the visit does nothing for it */
  constructor(
    perSecond: number | null,
    resting: (wait: () => Promise<boolean>) => Promise<boolean> = (wait) => wait(),
  ) {
    this.perSecond = perSecond
    this.#resting = resting
    this.#gapMs = perSecond === null ? 0 : 1_000 / perSecond
  }

  /**
   * Resolves with true when the caller may begin an attempt, each after the caller before. A turn that comes late is not
   * made up for, so no second has more. Resolves with false when there is none before `until`, or when `mayGoOn` says no
   * meanwhile.
   */
  turn(until: number, mayGoOn: () => boolean): Promise<boolean> {
    const turn = this.#last.then(async () => {
      const isTurn = this.#nextAt < until && (await this.#wait(mayGoOn))
      if (isTurn) this.#nextAt = performance.now() + this.#gapMs
      return isTurn
    })
    this.#last = turn
    return turn
  }

  /**
   * Resolves when the next attempt may begin. A worker keeps the lease until then, so no worker begins one earlier, on
   * whichever server.
   */
  async end(mayGoOn: () => boolean): Promise<void> {
    await this.#wait(mayGoOn)
  }

  /** Whether the time came while one could go on. */
  async #wait(mayGoOn: () => boolean): Promise<boolean> {
    const at = this.#nextAt
    return at <= performance.now() ? mayGoOn() : this.#resting(() => waitUntil(at, mayGoOn))
  }
}

async function waitUntil(at: number, mayGoOn: () => boolean): Promise<boolean> {
  for (let left = at - performance.now(); left > 0; left = at - performance.now()) {
    if (!mayGoOn()) return false
    await wait(Math.min(left, LOOK_MS))
  }
  return mayGoOn()
}
