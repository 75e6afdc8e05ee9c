// Retries of webhooks: jobs of the queue, one for each endpoint with something due later. What is due without a job is
// found and gets one.
import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import type { PgBoss } from 'pg-boss'
import { readFeatureFlag } from '../domain/accounts/feature_flag.ts'
import type { SendRetries } from '../domain/webhooks/deliveries/delivery.ts'
import { dueEndpoints } from '../domain/webhooks/sending/due_deliveries.ts'
import { repeat } from '../kernel/flow/repeat.ts'
import { float8, int4, nullable } from '../store/columns.ts'
import { columnwise } from '../store/columnwise.ts'
import { change, preparedCommand, row, statement } from '../store/statement.ts'

export const RETRY_QUEUE = 'retry_webhooks'

/** Milliseconds between two looks for jobs that are due. */
const FETCH_EVERY_MS = 500

/** Jobs that are fetched together. While a batch is full, the next one is fetched at once. */
const BATCH = 500

interface RetryParts {
  /** While it is off, jobs wait. */
  readonly dispatch: { readonly isOn: () => boolean }
  /** Tells the delivery loop that these endpoints have due deliveries now. What finds no room there has another job. */
  readonly order: (endpointIds: readonly string[]) => Promise<void>
  readonly onError: (error: unknown) => void
}

/** Safe to repeat. */
export const createRetryQueue = (queue: PgBoss): Promise<void> =>
  queue.createQueue(RETRY_QUEUE, {
    // One waiting job a key, beside those that were fetched.
    policy: 'short',
    retryLimit: 0,
    expireInSeconds: 60,
    deleteAfterSeconds: 600,
  })

/**
 * Hands the endpoints whose jobs are due to the delivery loop, on whichever server comes first. A job says only that it is
 * time: whether something is due is read from the deliveries, by the worker that leases the endpoint. So a job is over
 * when it is handed on, and what a crash then loses is found by `findingDue`. A job that waited for the receiver would
 * hold its batch, and with it the endpoints of others.
 */
export const startRetrying = (queue: PgBoss, { dispatch, order, onError }: RetryParts) =>
  repeat({
    firstMs: 0,
    everyMs: FETCH_EVERY_MS,
    onError,
    run: async () => {
      if (!dispatch.isOn()) return undefined
      const jobs = await queue.fetch<{ endpoint_id: string }>(RETRY_QUEUE, { batchSize: BATCH })
      if (jobs.length === 0) return undefined
      await order(jobs.map(({ data }) => data.endpoint_id))
      await queue.deleteJob(
        RETRY_QUEUE,
        jobs.map(({ id }) => id),
      )
      return jobs.length === BATCH ? 0 : undefined
    },
  })

export const sendRetries: SendRetries = async (em, retries) =>
  void (await change(em, SEND(columnwise(retries, 'endpointId', 'afterMs'))))

/**
 * Writes what the `insert` of pg-boss writes, and moves a job forward in the same statement: pg-boss moves one job at a
 * time, and between its two statements the waiting job could be fetched. In the order of the keys, so that two of these
 * never wait for each other. The clock goes on within a transaction, so no job is due before its delivery is.
 * Index: job_i1.
 */
const SEND = preparedCommand(
  ({ endpointId, afterMs }: { endpointId: readonly string[]; afterMs: readonly number[] }) => sql`
  INSERT INTO pgboss.job_common AS waiting
         (name, policy, data, singleton_key, start_after, keep_until, retry_limit, retry_delay, retry_backoff,
          expire_seconds, deletion_seconds)
  SELECT q.name, q.policy, jsonb_build_object('endpoint_id', r.endpoint_id), r.endpoint_id, r.at,
         r.at + q.retention_seconds * interval '1 second', q.retry_limit, q.retry_delay, q.retry_backoff,
         q.expire_seconds, q.deletion_seconds
    FROM (SELECT endpoint_id, clock_timestamp() + min(wait_ms) * interval '1 millisecond' AS at
            FROM unnest(${endpointId}::text[], ${afterMs}::float8[]) AS given (endpoint_id, wait_ms)
           GROUP BY endpoint_id) AS r
    JOIN pgboss.queue q ON q.name = ${sql.lit(RETRY_QUEUE)}
   ORDER BY r.endpoint_id
      ON CONFLICT (name, COALESCE(singleton_key, '')) WHERE state = 'created' AND policy = 'short'
      DO UPDATE SET start_after = excluded.start_after, keep_until = excluded.keep_until
   WHERE waiting.start_after > excluded.start_after`,
)

/**
 * Returns a function that sends a job for endpoints that have been due for so long and that no worker is at, and returns
 * how many. Call it again while it returns `limit`. It sends none while dispatch is off.
 * What is due without a job: the first attempts of a server that crashed, and what older versions wrote.
 */
export function findingDue(lateSeconds = 0): (em: EntityManager, limit: number) => Promise<number> {
  let after = ''
  return async (em, limit) => {
    if (!(await readFeatureFlag(em, 'webhooks.dispatch'))) return 0
    const found = await dueEndpoints(em, { after, lateSeconds, limit })
    after = found.length < limit ? '' : (found.at(-1) ?? '')
    if (found.length > 0)
      await sendRetries(
        em,
        found.map((endpointId) => ({ endpointId, afterMs: 0 })),
      )
    return found.length
  }
}

/** The jobs that wait, and the seconds until the next one is due, 0 or less when it is. Null when none waits. */
export const waitingRetries = (em: EntityManager) => row(em, WAITING)

const WAITING = statement(
  { count: int4, next_seconds: nullable(float8) },
  sql`
  SELECT count(*)::int AS count, extract(epoch FROM min(start_after) - clock_timestamp())::float8 AS next_seconds
    FROM pgboss.job WHERE name = ${sql.lit(RETRY_QUEUE)} AND state < 'active'`,
)
