// Turns facts into deliveries, and delivers them: endpoints that are ordered are handled at once, and looks every second find
// the rest.
import type { EntityManager } from '@mikro-orm/postgresql'
import { fanOut } from '../domain/webhooks/fan_out/fan_out.ts'
import type { EndpointClaim } from '../domain/webhooks/sending/due_deliveries.ts'
import { FairLanes, type LaneLimits } from '../kernel/flow/fair_lanes.ts'
import { repeat } from '../kernel/flow/repeat.ts'

type Standing = EndpointClaim['standing']

/** Endpoints that one server handles at a time. Beyond the waiting limits they are dropped until a later look. */
const USUAL = {
  working: { all: 250, owner: 50, host: 100 },
  held: { all: 600, owner: 300, host: 300 },
  waiting: 20_000,
  waitingOfOwner: 5_000,
} as const satisfies LaneLimits

/**
 * Each standing has lanes of its own, so that endpoints that hang never hold what those that answer need. One that
 * hangs for the first time rests soon, and then counts as held only. From its next delivery on it is known as slow.
 */
const LANES = {
  prompt: USUAL,
  unknown: USUAL,
  slow: { ...USUAL, held: { all: 300, owner: 60, host: 120 } },
} as const satisfies Record<Standing, LaneLimits>

/** Orders that wait to be put into line. */
const MOST_ORDERED = 20_000

/** Endpoints per statement that reads their owners. */
const PIECE = 1_000

/**
 * Milliseconds between two looks for due deliveries. A look finds retries, work of crashed servers, and lost orders.
 */
const LOOK_EVERY_MS = 1_000

/**
 * A look rests nine times as long as it took, so that with thousands of endpoints it uses at most a tenth of the
 * time.
 */
const REST_PER_LOOK = 9

/** Endpoints per look. */
const MOST_FOUND = 1_000

/**
 * Milliseconds. On stop, attempts in progress may finish in this time. Then they are aborted, and made again later.
 */
const GRACE_MS = 3_000

interface DeliverParts {
  /** Endpoints with due deliveries that no server handles, taking one per owner in turn. */
  readonly due: (limit: number) => Promise<readonly string[]>
  /** What each endpoint counts for. A deleted endpoint is missing from the result. */
  readonly claims: (endpointIds: readonly string[]) => Promise<ReadonlyMap<string, EndpointClaim>>
  /**
   * Safe to call from several servers at once. Returns `more` when it stopped before all due deliveries were done.
   * @param onRest told when the work only waits for the receiver, and when it goes on
   */
  readonly deliver: (
    endpointId: string,
    onRest: (rests: boolean) => void,
  ) => Promise<'done' | 'more' | 'busy'>
  readonly dispatch: {
    readonly isOn: () => boolean
    readonly look: () => Promise<void>
    readonly stop: () => void
    readonly interrupt: () => void
  }
  readonly onError: (error: unknown) => void
}

/**
 * Does not use pg-boss. The delivery rows are the queue, and a lease on the endpoint's row says which server handles
 * it. A job per endpoint would repeat both and have two flaws: a job that waits hours for a retry would swallow
 * orders for earlier deliveries, and a job of a crashed server would block its endpoint until it expires. If a server
 * crashes, its lease ends after 30 seconds and any server finds the due deliveries at its next look. Orders are
 * therefore kept in memory only. A lost order costs a second. If two servers queue the same endpoint, the first to
 * lease it handles it.
 */
export function startDelivering(parts: DeliverParts) {
  const { due, claims, deliver, dispatch, onError } = parts
  const running = new Map<string, { again: boolean; readonly work: Promise<void> }>()
  const lanes = {
    prompt: new FairLanes(LANES.prompt),
    unknown: new FairLanes(LANES.unknown),
    slow: new FairLanes(LANES.slow),
  } satisfies Record<Standing, FairLanes>
  const everyLanes = Object.values(lanes)
  const ordered = new Set<string>()

  const isInLine = (id: string): boolean => everyLanes.some((some) => some.has(id))

  /** An endpoint that is being handled is handled once more afterwards. One that waits for a lane already has its turn. */
  const isKnown = (id: string): boolean => {
    const run = running.get(id)
    if (run !== undefined) run.again = true
    return run !== undefined || isInLine(id)
  }

  const order = (endpointIds: readonly string[]): void => {
    if (!dispatch.isOn()) return
    for (const id of endpointIds) if (ordered.size < MOST_ORDERED && !isKnown(id)) ordered.add(id)
    if (ordered.size > 0) lining.poke()
  }

  const lining = repeat({
    everyMs: Number.POSITIVE_INFINITY,
    onError,
    run: async () => {
      while (ordered.size > 0 && dispatch.isOn()) {
        const ids = [...ordered].slice(0, PIECE)
        for (const id of ids) ordered.delete(id)
        const claimed = await claims(ids)
        for (const id of ids) {
          const claim = claimed.get(id) ?? GONE
          if (!isKnown(id)) lanes[claim.standing].add(id, claim)
        }
        startWaiting()
      }
    },
  })

  const startWaiting = (): void => {
    if (!dispatch.isOn()) return
    for (const some of everyLanes)
      for (let id = some.take(); id !== undefined; id = some.take()) start(id, some)
  }

  const start = (id: string, held: FairLanes): void => {
    const onRest = (rests: boolean): void => {
      held.rest(id, rests)
      if (rests) startWaiting()
    }
    const run = {
      again: false,
      work: Promise.resolve().then(async () => {
        let more = false
        try {
          more = (await deliver(id, onRest)) === 'more'
        } catch (error) {
          onError(error)
        }
        running.delete(id)
        held.done(id)
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
      order(found.filter((id) => !isInLine(id)))
    },
  })

  return Object.freeze({
    /** Tells the loop that these endpoints have due deliveries now. */
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

/** For deleted endpoints. Handling one cancels its remaining deliveries. */
const GONE: EndpointClaim = { owner: '', host: '', standing: 'prompt' }

/**
 * Turns facts into deliveries when new facts are announced, and once a second in any case, because an announcement may be
 * lost and some facts are not announced. Any number of servers may run this, because each skips the facts that another
 * one has locked.
 */
export const startFanOut = ({
  em,
  order,
  announceFacts,
  onError,
}: {
  readonly em: () => EntityManager
  /** Tells the delivery loop that these endpoints have due deliveries now. */
  readonly order: (endpointIds: readonly string[]) => void
  /** Announces new facts. Each new delivery is itself a fact. */
  readonly announceFacts: () => void
  readonly onError: (error: unknown) => void
}) =>
  repeat({
    everyMs: LOOK_EVERY_MS,
    onError,
    run: async (signal) => {
      for (let more = true; more && !signal.aborted; ) {
        const piece = await fanOut(em())
        more = piece.more
        if (piece.made > 0) announceFacts()
        if (piece.endpointIds.length > 0) order(piece.endpointIds)
      }
    },
  })
