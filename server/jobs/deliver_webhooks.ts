// A job per endpoint that has something due: ordered by whoever sees it, worked off by whichever server has room.
import type { PgBoss } from 'pg-boss'

const QUEUE = 'deliver_webhooks'

/** Endpoints that one server works off at a time: so many may hang without keeping anybody waiting. */
const AT_A_TIME = 250

/** What is due is looked for so often, in milliseconds: retries, what other servers left, and lost orders. */
const LOOK_EVERY_MS = 1_000

const MOST_ORDERED = 1_000

/** Attempts under way when the server stops have so long to end; then they are broken off, and made again later. */
const GRACE_MS = 3_000

export interface DeliverParts {
  /** Endpoints with something due that nobody works off. */
  readonly due: (limit: number) => Promise<readonly string[]>
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
  const { due, deliver, dispatch, onError } = parts
  await queue.createQueue(QUEUE, {
    policy: 'short',
    retryLimit: 0,
    expireInSeconds: 120,
    retentionSeconds: 300,
  })
  const running = new Map<string, { again: boolean; readonly work: Promise<void> }>()
  const ordered = new Set<string>()
  let closed = false
  let turning: Promise<void> | undefined
  let turnAgain = false
  /** The last round found no room: jobs may be waiting for it. */
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
      const room = AT_A_TIME - running.size
      full = room <= 0
      const jobs = room > 0 ? await queue.fetch<{ endpoint_id: string }>(QUEUE, { batchSize: room }) : []
      if (jobs.length === 0) continue
      turnAgain = true
      for (const { data } of jobs) start(data.endpoint_id)
      // A job that somebody works on is of no more use to anybody: should this server die, what is due is found again.
      await queue.deleteJob(
        QUEUE,
        jobs.map(({ id }) => id),
      )
    }
  }

  const start = (id: string): void => {
    const known = running.get(id)
    if (known !== undefined) {
      known.again = true
      return
    }
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
        if (closed) return
        if (more || run.again) await order([id]).catch(onError)
        else if (full) await turn().catch(onError)
      }),
    }
    running.set(id, run)
  }

  const look = async (): Promise<void> => {
    await dispatch.look()
    if (!dispatch.isOn()) return
    await order((await due(MOST_ORDERED)).filter((id) => !running.has(id)))
  }
  let looking: Promise<void> = look().catch(onError)
  const timer = setInterval(() => {
    looking = looking.then(look).catch(onError)
  }, LOOK_EVERY_MS)

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

const jobOf = (id: string) => ({ singletonKey: id, data: { endpoint_id: id } })
