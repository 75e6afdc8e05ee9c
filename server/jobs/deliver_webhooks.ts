// A job per endpoint that has something due: ordered by whoever sees it, worked off by whichever server has room.
import type { PgBoss } from 'pg-boss'
import { type Claim, fairLanes } from '../kernel/fair_lanes.ts'

const QUEUE = 'deliver_webhooks'

/**
 * Endpoints that one server works off at a time, and how many of them may be one owner's or lead to one host: so many may
 * hang without keeping anybody else waiting. What does not fit into the rest is found again when it is due.
 */
const LANES = { all: 250, owner: 50, host: 100, waiting: 20_000, waitingOfOwner: 5_000 } as const

/** Jobs that are taken from the queue at once. */
const FETCH = 250

/** What is due is looked for so often, in milliseconds: retries, what other servers left, and lost orders. */
const LOOK_EVERY_MS = 1_000

/** And less often where that takes long, with thousands of endpoints: a tenth of the time at most is spent on it. */
const REST_PER_LOOK = 9

const MOST_ORDERED = 1_000

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

export interface DeliverJobs {
  /** These have something due now. Any number of orders for one endpoint make one job. */
  readonly order: (endpointIds: readonly string[]) => Promise<void>
  readonly close: () => Promise<void>
}

/**
 * Jobs carry nothing but an endpoint's id, and are ordered only for what is due: the deliveries themselves are the queue.
 * A job that waited hours for a retry would swallow the orders for what is due sooner; a lost one costs a second.
 */
export async function startDeliverJobs(queue: PgBoss, parts: DeliverParts): Promise<DeliverJobs> {
  const { due, claims, deliver, dispatch, onError } = parts
  await queue.createQueue(QUEUE, {
    policy: 'short',
    retryLimit: 0,
    expireInSeconds: 120,
    retentionSeconds: 300,
  })
  const running = new Map<string, { again: boolean; readonly work: Promise<void> }>()
  const lanes = fairLanes(LANES)
  const ordered = new Set<string>()
  let closed = false
  let turning: Promise<void> | undefined
  let turnAgain = false
  /** The last round found no room: jobs may be waiting for some. */
  let full = false

  const order = async (endpointIds: readonly string[]): Promise<void> => {
    if (closed || !dispatch.isOn()) return
    for (const id of endpointIds) {
      const run = running.get(id)
      if (run === undefined) ordered.add(id)
      else run.again = true
    }
    await turn()
  }

  /** One at a time, with one statement at a time: whoever comes meanwhile is served by its next round. */
  const turn = (): Promise<void> => {
    turnAgain = true
    turning ??= turnWhileAsked().finally(() => {
      turning = undefined
    })
    return turning
  }

  const turnWhileAsked = async (): Promise<void> => {
    while (turnAgain && !closed && dispatch.isOn()) {
      turnAgain = false
      const ids = [...ordered]
      ordered.clear()
      if (ids.length > 0) await queue.insert(QUEUE, ids.map(jobOf))
      full = !lanes.hasRoom()
      const jobs = full ? [] : await queue.fetch<{ endpoint_id: string }>(QUEUE, { batchSize: FETCH })
      if (jobs.length === 0) continue
      turnAgain = true
      await line(jobs.map(({ data }) => data.endpoint_id))
      // A job that somebody works on is of no more use to anybody: should this server die, what is due is found again.
      await queue.deleteJob(
        QUEUE,
        jobs.map(({ id }) => id),
      )
    }
  }

  /** Those that work already look once more; the others wait for their turn. */
  const line = async (endpointIds: readonly string[]): Promise<void> => {
    const claimed = await claims(endpointIds)
    for (const id of endpointIds) {
      const run = running.get(id)
      if (run === undefined) lanes.add(id, claimed.get(id) ?? GONE)
      else run.again = true
    }
    startWaiting()
  }

  const startWaiting = (): void => {
    if (closed || !dispatch.isOn()) return
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
        if (closed) return
        if (more || run.again) await order([id]).catch(onError)
        else if (full) await turn().catch(onError)
      }),
    }
    running.set(id, run)
  }

  let restUntil = 0
  const look = async (): Promise<void> => {
    await dispatch.look()
    if (!dispatch.isOn()) return
    startWaiting()
    const began = performance.now()
    if (began < restUntil) return
    const found = await due(MOST_ORDERED)
    const ended = performance.now()
    restUntil = ended + REST_PER_LOOK * (ended - began)
    // Not awaited: the switch is looked at in time, however long the orders take.
    order(found.filter((id) => !lanes.has(id))).catch(onError)
  }
  let looking: Promise<void> | undefined
  /** One at a time: the next waits for its second, not for this one. */
  const lookAlone = (): void => {
    looking ??= look()
      .catch(onError)
      .finally(() => {
        looking = undefined
      })
  }
  lookAlone()
  const timer = setInterval(lookAlone, LOOK_EVERY_MS)

  return Object.freeze({
    order,
    close: async () => {
      closed = true
      clearInterval(timer)
      dispatch.stop()
      const grace = setTimeout(dispatch.interrupt, GRACE_MS)
      await Promise.allSettled([looking, turning, ...[...running.values()].map(({ work }) => work)])
      clearTimeout(grace)
    },
  })
}

/** What is left of them is cancelled: one that is gone belongs to nobody. */
const GONE: Claim = { owner: '', host: '' }

const jobOf = (id: string) => ({ singletonKey: id, data: { endpoint_id: id } })
