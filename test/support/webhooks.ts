// A ledger whose events go to receivers on this machine. The test runs the work itself, without clock and job
// queue.
import { pino } from 'pino'
import { deliveryOf, type WebhookDelivery } from '../../server/domain/webhooks/deliveries/delivery.ts'
import {
  type CreatedEndpoint,
  createEndpoint,
  type NewEndpoint,
} from '../../server/domain/webhooks/endpoints/change_endpoint.ts'
import { fanOut } from '../../server/domain/webhooks/fan_out/fan_out.ts'
import { attemptsUnderWay } from '../../server/domain/webhooks/sending/attempts_under_way.ts'
import { deliverEndpoint, type Worked } from '../../server/domain/webhooks/sending/deliver_endpoint.ts'
import type { DeliveryTools } from '../../server/domain/webhooks/sending/deliver_one.ts'
import { dueEndpoints } from '../../server/domain/webhooks/sending/due_deliveries.ts'
import { outcomeRecorder } from '../../server/domain/webhooks/sending/record_outcomes.ts'
import { openVisits } from '../../server/domain/webhooks/sending/visits.ts'
import { sendRetries } from '../../server/jobs/retry_webhooks.ts'
import { addressRanges } from '../../server/kernel/addresses.ts'
import { createGuard, type ResolveName } from '../../server/outgoing/guard.ts'
import { keepLines } from '../../server/outgoing/lines.ts'
import { openLines } from '../../server/outgoing/post_pinned.ts'
import type { Store } from '../../server/store/open_store.ts'
import { eventsOf } from '../../shared/wire/webhook_events.ts'
import { openTestLedger, type TestLedger } from './ledger.ts'
import { TEST_AUTHORITY } from './receiver.ts'

export interface TestWebhooks {
  readonly ledger: TestLedger
  readonly tools: DeliveryTools
  readonly lines: readonly Readonly<Record<string, unknown>>[]
  readonly endpoint: (wanted: Partial<NewEndpoint>) => Promise<CreatedEndpoint>
  /** Runs until the queue of facts is empty. Returns the number of created deliveries. */
  readonly fanOutAll: () => Promise<number>
  /** Attempts everything that is due now, for every endpoint, with so many endpoints at once. */
  readonly deliverDue: (tools?: Partial<DeliveryTools>, atOnce?: number) => Promise<Worked[]>
  /** In order of creation. */
  readonly deliveries: (endpointId?: string) => Promise<WebhookDelivery[]>
  /** Makes all waiting attempts due. */
  readonly passTime: () => Promise<void>
  readonly query: <Row>(text: string, parameters?: readonly unknown[]) => Promise<Row[]>
  readonly close: () => Promise<void>
}

export interface TestWebhooksOptions {
  readonly resolve?: ResolveName
  readonly allow?: string
  readonly through?: (url: string) => string
}

const NOBODY: ResolveName = async () => []

/** Tools as in app.ts, on this store. */
export function deliveryTools(
  store: Store,
  masterKey: TestLedger['masterKey'],
  { resolve = NOBODY, allow = '127.0.0.0/8 ::1' }: TestWebhooksOptions,
  lines: Readonly<Record<string, unknown>>[] = [],
): DeliveryTools {
  const log = pino(
    { level: 'debug', base: null },
    { write: (line: string) => void lines.push(JSON.parse(line)) },
  )
  return {
    em: store.em,
    masterKey,
    guard: createGuard({ resolve, allow: addressRanges(allow) }),
    lines: keepLines(openLines({ ca: TEST_AUTHORITY.cert })),
    visits: openVisits({ em: store.em, sendRetries }),
    record: outcomeRecorder({ em: store.em, sendRetries }),
    dispatch: { isOn: () => true },
    underWay: attemptsUnderWay(new AbortController().signal),
    onAttempted: () => undefined,
    log,
  }
}

export async function openTestWebhooks(options: TestWebhooksOptions = {}): Promise<TestWebhooks> {
  const ledger = await openTestLedger(options.through)
  const { store, masterKey } = ledger
  const lines: Readonly<Record<string, unknown>>[] = []
  const tools = deliveryTools(store, masterKey, options, lines)
  const { query } = ledger.database
  return {
    ledger,
    tools,
    lines,
    endpoint: (wanted) =>
      createEndpoint(
        { em: store.em(), masterKey },
        { userId: ledger.userId, resourceType: 'item', events: eventsOf('item'), ...wanted },
      ),
    fanOutAll: async () => {
      for (let made = 0; ; ) {
        const piece = await fanOut(store.em())
        made += piece.made
        if (!piece.more) return made
      }
    },
    deliverDue: async (other = {}, atOnce = 1_000) => {
      const due = await dueEndpoints(store.em(), { limit: 1_000 })
      const worked: Worked[] = []
      while (due.length > 0) {
        const group = due.splice(0, atOnce).map((id) => deliverEndpoint({ ...tools, ...other }, id))
        worked.push(...(await Promise.all(group)))
      }
      return worked
    },
    deliveries: async (endpointId) =>
      (
        await query<Record<string, unknown>>(
          `SELECT * FROM webhook_deliveries WHERE $1::text IS NULL OR endpoint_id = $1 ORDER BY id`,
          [endpointId ?? null],
        )
      ).map(deliveryOf),
    passTime: async () => {
      await query(`UPDATE webhook_deliveries SET next_attempt_at = pharos_now() WHERE status = 'pending'`)
    },
    query,
    close: ledger.close,
  }
}
