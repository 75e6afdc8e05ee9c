// Statistics of a webhook endpoint: the deliveries of the last 24 hours, counted by hour and outcome.
import { sql } from 'kysely'
import { z } from 'zod'
import { readId } from '../../contract/attribute.ts'
import { instant, integer, listOf, text, timeOf, uuid7 } from '../../contract/kinds.ts'
import { resultOf } from '../../contract/operation.ts'
import { bareRow, field, type Resource } from '../../contract/resource.ts'
import {
  type Durations,
  type EndpointStatistics,
  endpointStatistics,
  type OutcomeCounts,
  STATISTICS_HOURS,
} from '../../domain/webhooks/endpoints/endpoint_statistics.ts'
import type { Context } from '../context.ts'
import { read, resource } from '../define.ts'
import { ENDPOINT_ID } from './webhook_writes.ts'

const COUNT = { type: 'integer', minimum: 0 } as const
const DURATION = { type: ['integer', 'null'], minimum: 0 } as const

type Shown = OutcomeCounts & Readonly<Record<'duration_p50_ms' | 'duration_p95_ms', number | null>>

const HOUR = resultOf(
  {
    at: { ...instant().schema, description: 'When the hour begins.' },
    success: COUNT,
    failed: COUNT,
    retrying: COUNT,
    pending: COUNT,
    cancelled: COUNT,
    duration_p50_ms: DURATION,
    duration_p95_ms: DURATION,
  },
  'WebhookStatisticsHour',
)

const count = (doc: string) => field(integer({ min: 0 }), doc)
const duration = (doc: string) => field(integer({ min: 0 }), doc, { nullable: true })

export const webhookStatistics: Resource<EndpointStatistics, Context> = resource<EndpointStatistics>()({
  type: 'webhook_endpoint_statistics',
  path: '/webhook-endpoints',
  id: uuid7(),
  doc: 'What became of the deliveries that were made for an endpoint in the running hour and the 23 before it. Each counts once, by how it stands now.',
  fields: {
    success: count('Deliveries that got through.'),
    failed: count('Deliveries that were given up.'),
    retrying: count('Deliveries that did not get through yet, and are tried again.'),
    pending: count('Deliveries that were not tried yet.'),
    cancelled: count('Deliveries that ended without a further attempt.'),
    duration_p50_ms: duration(
      'Half of the last attempts took no longer, in milliseconds within 5 %; null when none sent a request.',
    ),
    duration_p95_ms: duration(
      '95 of 100 last attempts took no longer, in milliseconds within 5 %; null when none sent a request.',
    ),
    newest_error: field(text({ max: 500 }), 'Why the newest delivery that did not get through did not.', {
      nullable: true,
    }),
    newest_error_at: field(instant(), 'When that was last tried, or cancelled.', { nullable: true }),
    hours: field(
      listOf(z.custom<Shown & { readonly at: string }>().meta(HOUR), STATISTICS_HOURS),
      'The same by hour of UTC, oldest first.',
      {
        example: [
          {
            at: '2026-11-20T18:00:00.000Z',
            success: 1,
            failed: 1,
            retrying: 1,
            pending: 1,
            cancelled: 1,
            duration_p50_ms: 1,
            duration_p95_ms: 1,
          },
        ],
      },
    ),
  },
  table: 'webhook_endpoints',
  hydrate: () => {
    throw new Error('Statistics are counted, and no row holds them.')
  },
  visible: ({ caller }, alias) => sql`${sql.raw(alias)}.user_id = ${caller.userId}`,
  show: {
    duration_p50_ms: ({ p50 }) => p50,
    duration_p95_ms: ({ p95 }) => p95,
    newest_error: ({ newestError }) => newestError?.words ?? null,
    newest_error_at: ({ newestError }) => (newestError === null ? null : timeOf(newestError.at)),
    hours: ({ hours }) => hours.map((hour) => ({ at: timeOf(hour.at), ...countsOf(hour) })),
  },
  operations: [
    read({
      name: 'getWebhookEndpointStatistics',
      doc: 'Counts the deliveries of one of the caller’s own endpoints. Millions of them may be too many to count in time: `query_too_expensive`.',
      access: 'read',
      http: 'GET /webhook-endpoints/:id/statistics',
      parameters: { id: ENDPOINT_ID },
      run: async (context, { id }) => {
        const which = { id: readId(id), userId: context.caller.userId }
        const found = await context.expensively((query) => endpointStatistics({ query }, which))
        return bareRow(webhookStatistics, context, found)
      },
    }),
  ],
})

const countsOf = (hour: OutcomeCounts & Durations): Shown => ({
  success: hour.success,
  failed: hour.failed,
  retrying: hour.retrying,
  pending: hour.pending,
  cancelled: hour.cancelled,
  duration_p50_ms: hour.p50,
  duration_p95_ms: hour.p95,
})
