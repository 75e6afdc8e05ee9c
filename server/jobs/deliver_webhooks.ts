// Turns facts into deliveries, and delivers them: endpoints that are ordered are handled at once, in turns.
import type { EntityManager } from '@mikro-orm/postgresql'
import { fanOut } from '../domain/webhooks/fan_out/fan_out.ts'
import type { DispatchSwitch } from '../domain/webhooks/sending/attempts_under_way.ts'
import type { Worked } from '../domain/webhooks/sending/deliver_endpoint.ts'
import type { EndpointClaim } from '../domain/webhooks/sending/due_deliveries.ts'
import { FairLanes, type LaneLimits } from '../kernel/flow/fair_lanes.ts'
import { repeat } from '../kernel/flow/repeat.ts'

type Standing = EndpointClaim['standing']

/** Endpoints that one server handles at a time. Beyond the waiting limits they are left to jobs. */
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

/**
 * Milliseconds until what finds no room is ordered again, by whichever server has room then. Those that hang make room
 * slowly, and each order costs a job.
 */
const ROOM_MS = { prompt: 1_000, unknown: 1_000, slow: 10_000 } as const satisfies Record<Standing, number>

/** Endpoints per statement that reads their owners. */
const PIECE = 1_000

/** Milliseconds between two looks at the switch. */
const SWITCH_EVERY_MS = 1_000

/**
 * Milliseconds. On stop, attempts in progress may finish in this time. Then they are aborted, and made again later.
 */
const GRACE_MS = 3_000

interface DeliverParts {
  /** What each endpoint counts for. A deleted endpoint is missing from the result. */
  readonly claims: (endpointIds: readonly string[]) => Promise<ReadonlyMap<string, EndpointClaim>>
  /**
   * Safe to call from several servers at once. Returns `more` when it stopped before all due deliveries were done.
   * @param onRest told when the work only waits for the receiver, and when it goes on
   */
  readonly deliver: (endpointId: string, onRest: (rests: boolean) => void) => Promise<Worked>
  /** Has endpoints with due deliveries ordered, and returns how many. It found all when it returns less than `limit`. */
  readonly findDue: (limit: number) => Promise<number>
  /** Leaves these endpoints to whichever server takes them so many milliseconds later. */
  readonly leave: (endpointIds: readonly string[], afterMs: number) => Promise<void>
  readonly dispatch: Omit<DispatchSwitch, 'interrupted'>
  readonly onError: (error: unknown) => void
}

/**
 * The delivery rows are the queue, and a lease on the endpoint's row says which server handles it. Orders come from the
 * fan-out, for first attempts, and from jobs (`retry_webhooks.ts`), for what is due later. They are kept in memory only: if
 * a server crashes, its lease ends after 30 seconds, and what is due and in nobody's hands is found and gets a job. If
 * two servers have orders for the same endpoint, the first to lease it handles it.
 */
export function startDelivering(parts: DeliverParts) {
  const { claims, deliver, findDue, leave, dispatch, onError } = parts
  const running = new Map<string, { again: boolean; readonly work: Promise<void> }>()
  const lanes = {
    prompt: new FairLanes(LANES.prompt),
    unknown: new FairLanes(LANES.unknown),
    slow: new FairLanes(LANES.slow),
  } satisfies Record<Standing, FairLanes>
  const everyLanes = Object.values(lanes)
  const ordered = new Set<string>()
  let isClosing = false

  const isInLine = (id: string): boolean => everyLanes.some((some) => some.has(id))

  /** An endpoint that is being handled is handled once more afterwards. One that waits for a lane already has its turn. */
  const isKnown = (id: string): boolean => {
    const run = running.get(id)
    if (run !== undefined) run.again = true
    return run !== undefined || isInLine(id)
  }

  /** Resolves when each has its place, here or in a job. What is ordered while dispatch is off is found when it is on. */
  const order = async (endpointIds: readonly string[]): Promise<void> => {
    if (isClosing) for (const id of endpointIds) ordered.add(id)
    if (!dispatch.isOn()) return
    const full: string[] = []
    for (const id of endpointIds) {
      if (isKnown(id)) continue
      if (ordered.size < MOST_ORDERED) ordered.add(id)
      else if (!ordered.has(id)) full.push(id)
    }
    if (ordered.size > 0) lining.poke()
    if (full.length > 0) await leave(full, ROOM_MS.unknown)
  }

  const lining = repeat({
    everyMs: Number.POSITIVE_INFINITY,
    onError,
    run: async () => {
      while (ordered.size > 0 && dispatch.isOn()) {
        const ids = [...ordered].slice(0, PIECE)
        const claimed = await claims(ids)
        const full: { readonly id: string; readonly standing: Standing }[] = []
        for (const id of ids) {
          ordered.delete(id)
          const claim = claimed.get(id) ?? GONE
          const { standing } = claim
          if (!isKnown(id) && !lanes[standing].add(id, claim)) full.push({ id, standing })
        }
        startWaiting()
        for (const [standing, some] of Map.groupBy(full, (one) => one.standing))
          await leave(
            some.map(({ id }) => id),
            ROOM_MS[standing],
          )
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
        if (more || run.again) order([id]).catch(onError)
      }),
    }
    running.set(id, run)
  }

  let wasOn = false
  const looking = repeat({
    firstMs: 0,
    everyMs: SWITCH_EVERY_MS,
    onError,
    run: async (signal) => {
      await dispatch.look()
      const isOn = dispatch.isOn()
      if (isOn && !wasOn) {
        startWaiting()
        // What became due while this server was away, or while nothing was sent.
        while (!signal.aborted && (await findDue(PIECE)) === PIECE);
      }
      wasOn = isOn
    },
  })

  return Object.freeze({
    /** Tells the loop that these endpoints have due deliveries now. */
    order,
    close: async () => {
      isClosing = true
      dispatch.stop()
      const grace = setTimeout(dispatch.interrupt, GRACE_MS)
      await Promise.allSettled([
        looking.stop(),
        lining.stop(),
        ...[...running.values()].map(({ work }) => work),
      ])
      clearTimeout(grace)
      const left = [...ordered, ...everyLanes.flatMap((some) => some.waiting())]
      if (left.length > 0) await leave(left, 0).catch(onError)
    },
  })
}

/** For deleted endpoints. Handling one cancels its remaining deliveries. */
const GONE: EndpointClaim = { owner: '', host: '', standing: 'prompt' }

/** Milliseconds. */
const FAN_OUT_EVERY_MS = 1_000

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
  readonly order: (endpointIds: readonly string[]) => Promise<void>
  /** Announces new facts. Each new delivery is itself a fact. */
  readonly announceFacts: () => void
  readonly onError: (error: unknown) => void
}) =>
  repeat({
    everyMs: FAN_OUT_EVERY_MS,
    onError,
    run: async (signal) => {
      for (let more = true; more && !signal.aborted; ) {
        const piece = await fanOut(em())
        more = piece.more
        if (piece.made > 0) announceFacts()
        if (piece.endpointIds.length > 0) await order(piece.endpointIds)
      }
    },
  })
