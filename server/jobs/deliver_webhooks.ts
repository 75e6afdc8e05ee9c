// Works off the endpoints that have something due: ordered ones at once, and every second those that a look finds.
import { type Claim, fairLanes } from '../kernel/fair_lanes.ts'
import { repeat } from '../kernel/repeat.ts'

/**
 * Endpoints that one server works off at a time, and how many of them may be one owner's or lead to one host: so many may
 * hang without keeping anybody else waiting. What does not fit into the rest is found again when it is due.
 */
const LANES = { all: 250, owner: 50, host: 100, waiting: 20_000, waitingOfOwner: 5_000 } as const

/** Endpoints whose owners are asked for in one statement. */
const PIECE = 1_000

/** What is due is looked for so often, in milliseconds: retries, what other servers left, and lost orders. */
const LOOK_EVERY_MS = 1_000

/** And less often where that takes long, with thousands of endpoints: a tenth of the time at most is spent on it. */
const REST_PER_LOOK = 9

/** Endpoints that one look finds. */
const MOST_FOUND = 1_000

/** Attempts under way when the server stops have so long to end; then they are broken off, and made again later. */
const GRACE_MS = 3_000

export interface DeliverParts {
  /** Endpoints with something due that nobody works off, by turns among their owners. */
  readonly due: (limit: number) => Promise<readonly string[]>
  /** Whose lanes these endpoints take: one that is not among the answers is gone. */
  readonly claims: (endpointIds: readonly string[]) => Promise<ReadonlyMap<string, Claim>>
  /** Safe to call by several at once; `more` when it stopped before its work was done. */
  readonly deliver: (endpointId: string) => Promise<'done' | 'more' | 'busy'>
  readonly dispatch: {
    readonly isOn: () => boolean
    readonly look: () => Promise<void>
    readonly stop: () => void
    readonly interrupt: () => void
  }
  readonly onError: (error: unknown) => void
}

export interface Delivering {
  /** These have something due now. */
  readonly order: (endpointIds: readonly string[]) => void
  readonly close: () => Promise<void>
}

/**
 * Not by pg-boss: the deliveries themselves are the queue, and the lease on the endpoint's row says who works it off. A
 * job beside them would only repeat both, and worse: a job that waits hours for a retry swallows the orders for what is
 * due sooner, and one whose server died holds its endpoint until it expires. A lease ends after 30 seconds, and then
 * the look of any server finds what is due. So an order is kept in memory only: a lost one costs a second, and an
 * endpoint that two servers line up is worked off by the one that leases it first.
 */
export function startDelivering(parts: DeliverParts): Delivering {
  const { due, claims, deliver, dispatch, onError } = parts
  const running = new Map<string, { again: boolean; readonly work: Promise<void> }>()
  const lanes = fairLanes(LANES)
  const ordered = new Set<string>()

  const order = (endpointIds: readonly string[]): void => {
    if (!dispatch.isOn()) return
    for (const id of endpointIds) if (ordered.size < LANES.waiting) ordered.add(id)
    if (ordered.size > 0) lining.poke()
  }

  /** Those that are worked off already are looked at once more; the others wait for a lane. */
  const lining = repeat({
    everyMs: Number.POSITIVE_INFINITY,
    onError,
    run: async () => {
      while (ordered.size > 0 && dispatch.isOn()) {
        const ids = [...ordered].slice(0, PIECE)
        for (const id of ids) ordered.delete(id)
        const claimed = await claims(ids)
        for (const id of ids) {
          const run = running.get(id)
          if (run === undefined) lanes.add(id, claimed.get(id) ?? GONE)
          else run.again = true
        }
        startWaiting()
      }
    },
  })

  const startWaiting = (): void => {
    if (!dispatch.isOn()) return
    for (let id = lanes.take(); id !== undefined; id = lanes.take()) start(id)
  }

  const start = (id: string): void => {
    const run = {
      again: false,
      work: Promise.resolve().then(async () => {
        let more = false
        try {
          more = (await deliver(id)) === 'more'
        } catch (error) {
          onError(error)
        }
        running.delete(id)
        lanes.done(id)
        startWaiting()
        if (more || run.again) order([id])
      }),
    }
    running.set(id, run)
  }

  let restUntil = 0
  const looking = repeat({
    firstMs: 0,
    everyMs: LOOK_EVERY_MS,
    onError,
    run: async () => {
      await dispatch.look()
      if (!dispatch.isOn()) return
      startWaiting()
      const began = performance.now()
      if (began < restUntil) return
      const found = await due(MOST_FOUND)
      const ended = performance.now()
      restUntil = ended + REST_PER_LOOK * (ended - began)
      order(found.filter((id) => !lanes.has(id)))
    },
  })

  return Object.freeze({
    order,
    close: async () => {
      dispatch.stop()
      const grace = setTimeout(dispatch.interrupt, GRACE_MS)
      await Promise.allSettled([
        looking.stop(),
        lining.stop(),
        ...[...running.values()].map(({ work }) => work),
      ])
      clearTimeout(grace)
    },
  })
}

/** What is left of them is cancelled: one that is gone belongs to nobody. */
const GONE: Claim = { owner: '', host: '' }
