// Decides which work runs next on few lanes: alternately by owner, then by host, with a share of lanes for each.

/** The owner and host that a piece of work counts for. */
export interface Claim {
  readonly owner: string
  readonly host: string
}

export interface LaneLimits {
  /** Lanes in all. */
  readonly all: number
  /** Maximum number of lanes that one owner, and one host, may hold at a time. */
  readonly owner: number
  readonly host: number
  /** Maximum number of waiting ids, in total and per owner. */
  readonly waiting: number
  readonly waitingOfOwner: number
}

export interface FairLanes {
  /**
   * Adds the id to the queue. Does nothing when the id waits or runs already. Returns false when the queue is full.
   */
  readonly add: (id: string, claim: Claim) => boolean
  /** The next id that may run. It holds a lane until `done`. Returns undefined when no id may run. */
  readonly take: () => string | undefined
  readonly done: (id: string) => void
  readonly has: (id: string) => boolean
}

/**
 * Below its fixed limit, an owner or host may take another lane only while it holds fewer lanes than are free. So
 * several owners that never release their lanes still leave some lanes for others. The cost of a take grows with the
 * number of owners and hosts that hold lanes, not with the number of waiting ids.
 */
export function fairLanes(limits: LaneLimits): FairLanes {
  const running = new Map<string, Claim>()
  const waitingFor = new Map<string, Claim>()
  const held = { owner: new Map<string, number>(), host: new Map<string, number>() }
  /** By owner, then by host. An owner or host that was served moves to the end. */
  const queues = new Map<string, Map<string, Set<string>>>()
  const waitingOf = new Map<string, number>()

  const mayTake = (by: 'owner' | 'host', name: string): boolean => {
    const holds = held[by].get(name) ?? 0
    return holds < limits[by] && holds < limits.all - running.size
  }

  const takeFrom = (owner: string, hosts: Map<string, Set<string>>): string | undefined => {
    for (const [host, ids] of hosts) {
      if (!mayTake('host', host)) continue
      const [id] = ids
      if (id === undefined) continue
      ids.delete(id)
      hosts.delete(host)
      if (ids.size > 0) hosts.set(host, ids)
      queues.delete(owner)
      if (hosts.size > 0) queues.set(owner, hosts)
      return id
    }
    return undefined
  }

  return Object.freeze({
    add: (id: string, claim: Claim) => {
      if (running.has(id) || waitingFor.has(id)) return true
      const { owner, host } = claim
      const own = waitingOf.get(owner) ?? 0
      if (waitingFor.size >= limits.waiting || own >= limits.waitingOfOwner) return false
      waitingFor.set(id, claim)
      waitingOf.set(owner, own + 1)
      const hosts = queues.get(owner) ?? new Map<string, Set<string>>()
      queues.set(owner, hosts.set(host, (hosts.get(host) ?? new Set()).add(id)))
      return true
    },
    take: () => {
      if (running.size >= limits.all) return undefined
      for (const [owner, hosts] of queues) {
        const id = mayTake('owner', owner) ? takeFrom(owner, hosts) : undefined
        const claim = id === undefined ? undefined : waitingFor.get(id)
        if (id === undefined || claim === undefined) continue
        waitingFor.delete(id)
        count(waitingOf, owner, -1)
        running.set(id, claim)
        count(held.owner, owner, 1)
        count(held.host, claim.host, 1)
        return id
      }
      return undefined
    },
    done: (id: string) => {
      const claim = running.get(id)
      if (claim === undefined) return
      running.delete(id)
      count(held.owner, claim.owner, -1)
      count(held.host, claim.host, -1)
    },
    has: (id: string) => running.has(id) || waitingFor.has(id),
  })
}

function count(counts: Map<string, number>, name: string, by: 1 | -1): void {
  const next = (counts.get(name) ?? 0) + by
  if (next === 0) counts.delete(name)
  else counts.set(name, next)
}
