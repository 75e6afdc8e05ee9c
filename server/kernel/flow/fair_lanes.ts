// Decides which work runs next on few lanes: alternately by owner, then by host, with a share of lanes for each.
import { Tally } from './tally.ts'

/** The owner and host that a piece of work counts for. */
interface Claim {
  readonly owner: string
  readonly host: string
}

/** Maximum number of lanes in all, of one owner, and of one host. */
interface LaneShares {
  readonly all: number
  readonly owner: number
  readonly host: number
}

export interface LaneLimits {
  /** Lanes whose work computes. */
  readonly working: LaneShares
  /** Lanes that are held, those that rest included: their work waits for somebody else and costs memory alone. */
  readonly held: LaneShares
  /** Maximum number of waiting ids, in total and per owner. */
  readonly waiting: number
  readonly waitingOfOwner: number
}

/**
 * Below its fixed limit, an owner or host may take another lane only while it has fewer lanes than are free. So
 * several owners that never release their lanes still leave some lanes for others. The cost of a take grows with the
 * number of owners and hosts that hold lanes, and with the owners that wait for a host without room, not with the
 * number of waiting ids.
 */
export class FairLanes {
  readonly #limits: LaneLimits
  readonly #working: Lanes
  readonly #held: Lanes
  /** The ids that hold a lane. */
  readonly #running = new Map<string, { readonly claim: Claim; rests: boolean }>()
  readonly #waitingFor = new Map<string, Claim>()
  readonly #waitingOf = new Tally()
  /** By owner, then by host. An owner or host that was served moves to the end. */
  readonly #queues = new Map<string, Map<string, Set<string>>>()

  constructor(limits: LaneLimits) {
    this.#limits = limits
    this.#working = new Lanes(limits.working)
    this.#held = new Lanes(limits.held)
  }

  /** Adds the id to the queue. Does nothing when the id waits or runs already. Returns false when the queue is full. */
  add(id: string, claim: Claim): boolean {
    if (this.has(id)) return true
    const { owner, host } = claim
    const { waiting, waitingOfOwner } = this.#limits
    if (this.#waitingFor.size >= waiting || this.#waitingOf.of(owner) >= waitingOfOwner) return false
    this.#waitingFor.set(id, claim)
    this.#waitingOf.add(owner, 1)
    const hosts = this.#queues.get(owner) ?? new Map<string, Set<string>>()
    this.#queues.set(owner, hosts.set(host, (hosts.get(host) ?? new Set()).add(id)))
    return true
  }

  /** The next id that may run. It holds a lane until `done`. Returns undefined when no id may run. */
  take(): string | undefined {
    if (this.#working.isFull || this.#held.isFull) return undefined
    for (const [owner, hosts] of this.#queues) {
      const id = this.#hasRoom('owner', owner) ? this.#takeFrom(owner, hosts) : undefined
      const claim = id === undefined ? undefined : this.#waitingFor.get(id)
      if (id === undefined || claim === undefined) continue
      this.#waitingFor.delete(id)
      this.#waitingOf.add(owner, -1)
      this.#running.set(id, { claim, rests: false })
      this.#working.count(claim, 1)
      this.#held.count(claim, 1)
      return id
    }
    return undefined
  }

  /** Whether the work of the id rests from now on. One that ends its rest works at once, if need be beyond the limit. */
  rest(id: string, rests: boolean): void {
    const run = this.#running.get(id)
    if (run === undefined || run.rests === rests) return
    run.rests = rests
    this.#working.count(run.claim, rests ? -1 : 1)
  }

  done(id: string): void {
    const run = this.#running.get(id)
    if (run === undefined) return
    this.#running.delete(id)
    this.#held.count(run.claim, -1)
    if (!run.rests) this.#working.count(run.claim, -1)
  }

  /** The ids that wait for a lane. */
  waiting(): readonly string[] {
    return [...this.#waitingFor.keys()]
  }

  has(id: string): boolean {
    return this.#running.has(id) || this.#waitingFor.has(id)
  }

  #hasRoom(by: keyof Claim, name: string): boolean {
    return this.#working.hasRoom(by, name) && this.#held.hasRoom(by, name)
  }

  #takeFrom(owner: string, hosts: Map<string, Set<string>>): string | undefined {
    for (const [host, ids] of hosts) {
      if (!this.#hasRoom('host', host)) continue
      const [id] = ids
      if (id === undefined) continue
      ids.delete(id)
      hosts.delete(host)
      if (ids.size > 0) hosts.set(host, ids)
      this.#queues.delete(owner)
      if (hosts.size > 0) this.#queues.set(owner, hosts)
      return id
    }
    return undefined
  }
}

/** How many lanes are in use, and by whom. */
class Lanes {
  readonly #shares: LaneShares
  readonly #of = { owner: new Tally(), host: new Tally() }
  #all = 0

  constructor(shares: LaneShares) {
    this.#shares = shares
  }

  get isFull(): boolean {
    return this.#all >= this.#shares.all
  }

  hasRoom(by: keyof Claim, name: string): boolean {
    const own = this.#of[by].of(name)
    return own < this.#shares[by] && own < this.#shares.all - this.#all
  }

  count({ owner, host }: Claim, by: 1 | -1): void {
    this.#all += by
    this.#of.owner.add(owner, by)
    this.#of.host.add(host, by)
  }
}
