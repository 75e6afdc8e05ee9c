// Reading a pull endpoint: everything once for a reader that keeps its place, nothing passed over, and nothing taken away.
import { Webhook } from 'standardwebhooks'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createAccount } from '../../../server/domain/accounts/account_door.ts'
import { updateItem } from '../../../server/domain/ledger/change_item.ts'
import { pruneDeliveries, type WebhookDelivery } from '../../../server/domain/webhooks/deliveries/delivery.ts'
import { redeliver } from '../../../server/domain/webhooks/deliveries/redeliver.ts'
import { recover, replay } from '../../../server/domain/webhooks/deliveries/replay.ts'
import {
  type NewEndpoint,
  updateEndpoint,
} from '../../../server/domain/webhooks/endpoints/change_endpoint.ts'
import { deleteEndpoint } from '../../../server/domain/webhooks/endpoints/endpoint.ts'
import { fanOut } from '../../../server/domain/webhooks/fan_out/fan_out.ts'
import {
  MOST_EVENTS,
  type PulledPage,
  pullPlace,
  readEvents,
} from '../../../server/domain/webhooks/pulling/read_events.ts'
import { recordingReads } from '../../../server/domain/webhooks/pulling/record_read.ts'
import {
  dueEndpoints,
  moveDeliveriesBack,
  queueAge,
} from '../../../server/domain/webhooks/sending/due_deliveries.ts'
import { sendSample } from '../../../server/domain/webhooks/sending/send_sample.ts'
import { sendRetries } from '../../../server/jobs/retry_webhooks.ts'
import { newUuid7 } from '../../../server/kernel/identifiers.ts'
import type { CommitPlace } from '../../../server/store/commit_order.ts'
import { openStore } from '../../../server/store/open_store.ts'
import { eventually } from '../../support/http.ts'
import { rows } from '../../support/rows.ts'
import { openTestWebhooks, type TestWebhooks } from '../../support/webhooks.ts'
import { hold } from '../ledger/until.ts'

let webhooks: TestWebhooks
beforeAll(async () => {
  webhooks = await openTestWebhooks()
})
afterAll(() => webhooks.close())
afterEach(async () => {
  told = []
  await webhooks.query('DELETE FROM webhook_endpoints')
  await webhooks.query('DELETE FROM webhook_deliveries')
})

const em = () => webhooks.ledger.store.em()
/** What the log and the metrics are told, without the endpoints. */
let told: { readonly success: number; readonly cancelled: number }[] = []
const sealing = () => ({
  em: em(),
  masterKey: webhooks.ledger.masterKey,
  recordRead: recordingReads(em, ({ success, cancelled }) => void told.push({ success, cancelled })),
})
const owned = (id: string) => ({ id, userId: webhooks.ledger.userId })
const endpoint = (wanted: Partial<NewEndpoint> = {}) =>
  webhooks.endpoint({ kind: 'pull', events: ['item.created'], ...wanted })
const ENOUGH = 10_000_000
const pageNow = (
  endpointId: string,
  after: CommitPlace = pullPlace.beginning,
  room = ENOUGH,
): Promise<PulledPage> => readEvents(sealing(), { endpointId, userId: webhooks.ledger.userId, after }, room)

/** Transactions of tests beside this one hold rows back, too: the cluster counts those of all its databases. */
const nothingIsHeldBack = () =>
  eventually(async () => {
    const held = await webhooks.query(
      'SELECT FROM webhook_deliveries WHERE pull_xid >= pg_snapshot_xmin(pg_current_snapshot()) LIMIT 1',
    )
    return held.length === 0 ? true : undefined
  })

const page: typeof pageNow = async (...which) => {
  await nothingIsHeldBack()
  return pageNow(...which)
}

/** Everything beyond the place, and where that ends. */
async function readAll(endpointId: string, after: CommitPlace = pullPlace.beginning) {
  const ids: string[] = []
  for (let place = after; ; ) {
    const read = await page(endpointId, place)
    ids.push(...read.events.map(({ id }) => id))
    if (read.events.length === 0) return { ids, place }
    place = read.place
  }
}

const made = async (count: number): Promise<void> => {
  for (let n = 0; n < count; n += 1) await webhooks.ledger.submit({})
  await webhooks.fanOutAll()
}
const statuses = async () => (await webhooks.deliveries()).map(({ status }) => status)

/** So many deliveries that wait to be read, made by one transaction. */
const insertMany = (endpointId: string, count: number, insertedAt = new Date()) =>
  webhooks.query(INSERT_MANY, [endpointId, webhooks.ledger.userId, count, insertedAt])
const INSERT_MANY = `
  INSERT INTO webhook_deliveries (id, user_id, endpoint_id, event_type, resource_type, resource_id, message_id, creator_id,
                                  team_id, visibility, status, pull_xid, inserted_at, payload)
  SELECT gen_random_uuid()::text, $2, $1, 'item.created', 'item', 'item ' || n, 'msg ' || gen_random_uuid(), $2, 'team',
         'private', 'pending', pg_current_xact_id(), $4, '{}'
    FROM generate_series(1, $3::int) AS n`

/** The evidence of a delivery that was read, or withheld from its reader. */
const entryOf = (
  { firstAttemptAt, error }: Pick<WebhookDelivery, 'firstAttemptAt' | 'error'> = expect.fail('no delivery'),
) => ({
  number: 1,
  at: firstAttemptAt?.toISOString(),
  resolved_addresses: [],
  address: null,
  http_status: null,
  error,
  duration_ms: null,
})

describe('a reader that keeps its place', () => {
  it('gets what a receiver would be sent, byte for byte', async () => {
    const { id } = await endpoint()
    await made(1)
    const [delivery] = await webhooks.deliveries()
    const { events } = await page(id)
    expect(events).toEqual([
      {
        id: delivery?.id,
        headers: {
          'content-type': 'application/json',
          'user-agent': 'pharos-Webhook/1.0',
          'webhook-id': delivery?.messageId,
          'x-pharos-event': 'item.created',
          'x-pharos-delivery': delivery?.id,
          'x-pharos-timestamp': expect.stringMatching(/^\d{10}$/),
        },
        body: delivery?.payload,
      },
    ])
    const [read] = await webhooks.deliveries()
    expect(read).toMatchObject({ status: 'success', attempts: 1, httpStatus: null, error: null })
    expect(read?.completedAt).toEqual(read?.firstAttemptAt)
    expect(read?.attemptLog).toEqual([entryOf(read)])
    await page(id)
    expect(told).toEqual([{ success: 1, cancelled: 0 }])
  })

  it('gets signatures where the endpoint signs', async () => {
    const { id, signingSecret = '' } = await endpoint({ signing: 'v1' })
    await made(1)
    const [event = expect.fail('no event')] = (await page(id)).events
    expect(new Webhook(signingSecret).verify(event.body, event.headers)).toMatchObject({
      type: 'item.created',
    })
  })

  it('that was away for a day gets everything once, in pages, and again when it begins again', async () => {
    const { id } = await endpoint()
    await made(2)
    const first = await readAll(id)
    await insertMany(id, 2 * MOST_EVENTS + 7, new Date(Date.now() - 86_400_000))
    const rest = await readAll(id, first.place)
    const all = (await webhooks.deliveries()).map((delivery) => delivery.id)
    expect(rest.ids).toHaveLength(2 * MOST_EVENTS + 7)
    expect([...first.ids, ...rest.ids].toSorted()).toEqual(all.toSorted())
    expect((await readAll(id)).ids).toEqual([...first.ids, ...rest.ids])
    expect(new Set(await statuses())).toEqual(new Set(['success']))
  })

  it('is recorded with others who read side by side, each for what it was answered', async () => {
    const ids = await Promise.all(Array.from({ length: 12 }, async () => (await endpoint()).id))
    await made(2)
    await nothingIsHeldBack()
    const reading = sealing()
    const { userId } = webhooks.ledger
    const pages = await Promise.all(
      ids.map((endpointId) =>
        readEvents(reading, { endpointId, userId, after: pullPlace.beginning }, ENOUGH),
      ),
    )
    expect(pages.map(({ events }) => events.length)).toEqual(ids.map(() => 2))
    expect(await statuses()).toEqual(ids.flatMap(() => ['success', 'success']))
    expect(await webhooks.query('SELECT FROM webhook_endpoints WHERE last_success_at IS NULL')).toEqual([])
  })

  it('gets as many as fit into an answer, and one that does not fit by itself', async () => {
    const { id } = await endpoint()
    await made(3)
    const { length } = (await webhooks.deliveries())[0]?.payload ?? expect.fail('no delivery')
    const two = await page(id, pullPlace.beginning, 2 * length + 10)
    expect(two.events).toHaveLength(2)
    expect((await page(id, two.place, 1)).events).toHaveLength(1)
  })

  it('waits for a running transaction that may still add a delivery before those that are there', async () => {
    const { id } = await endpoint()
    const held = await hold(em(), (tx) => rows(tx, INSERT_MANY, [id, webhooks.ledger.userId, 1, new Date()]))
    await made(1)
    const early = await pageNow(id)
    expect(early).toEqual({ events: [], place: pullPlace.beginning })
    await held.commit()
    const { ids } = await readAll(id, early.place)
    const byTransaction = await webhooks.query<{ id: string }>(
      'SELECT id FROM webhook_deliveries ORDER BY pull_xid',
    )
    expect(ids).toEqual(byTransaction.map((one) => one.id))
    expect(ids).toHaveLength(2)
  })

  it('passes nothing over while many write beside each other, on two servers', async () => {
    const { id } = await endpoint()
    const other = openStore({ url: webhooks.ledger.database.url, poolSize: 10 })
    try {
      let isOver = false
      const write = async (n: number): Promise<void> => {
        for (let round = 0; round < 12; round += 1) {
          await webhooks.ledger.submit({})
          await fanOut(n % 2 === 0 ? em() : other.em())
          const now = new Date()
          const range = { from: new Date(now.getTime() - 600_000), until: now }
          if (n === 0)
            await replay(
              { em: other.em(), sendRetries },
              { endpointId: id, userId: webhooks.ledger.userId, ...range },
            )
        }
      }
      const read = async (): Promise<string[]> => {
        const ids: string[] = []
        for (let place: CommitPlace = pullPlace.beginning; ; ) {
          const wasOver = isOver
          const { events, place: next } = await (wasOver ? page : pageNow)(id, place)
          place = next
          ids.push(...events.map((event) => event.id))
          if (wasOver && events.length === 0) return ids
        }
      }
      const writing = Promise.all(Array.from({ length: 6 }, (_, n) => write(n)))
        .then(() => webhooks.fanOutAll())
        .finally(() => {
          isOver = true
        })
      const readers = await Promise.all([read(), read(), writing])
      const all = (await webhooks.deliveries()).map((delivery) => delivery.id)
      expect(all.length).toBeGreaterThanOrEqual(72)
      for (const ids of readers.slice(0, 2)) expect([...(ids as string[])].toSorted()).toEqual(all.toSorted())
      expect(new Set(await statuses())).toEqual(new Set(['success']))
    } finally {
      await other.close()
    }
  })

  it('of another server begins again, because its numbers say nothing here', async () => {
    const { id } = await endpoint()
    await made(2)
    const [{ xmax } = expect.fail('no row')] = await webhooks.query<{ xmax: string }>(
      `SELECT (pg_snapshot_xmax(pg_current_snapshot())::text::bigint + 1000)::text AS xmax`,
    )
    expect((await page(id, { xid: xmax, id: '' })).events).toHaveLength(2)
  })
})

describe('what is sent again', () => {
  it('comes again at the end, by each way of asking for it', async () => {
    const { id } = await endpoint()
    await made(2)
    const first = await readAll(id)
    const { userId } = webhooks.ledger
    await redeliver({ em: em(), sendRetries }, { id: first.ids[0] ?? '', userId })
    const second = await readAll(id, first.place)
    expect(second.ids).toHaveLength(1)
    await replay(
      { em: em(), sendRetries },
      { endpointId: id, userId, from: new Date(0), until: new Date(Date.now() + 60_000) },
    )
    const third = await readAll(id, second.place)
    expect(third.ids).toHaveLength(2)
    await webhooks.query(`UPDATE webhook_deliveries SET status = 'cancelled' WHERE id = ANY ($1)`, [
      third.ids,
    ])
    expect(
      (await recover({ em: em(), sendRetries }, { endpointId: id, userId, since: new Date(0) })).count,
    ).toBe(2)
    expect((await readAll(id, third.place)).ids).toHaveLength(2)
  })

  it('before it was read stays where it is', async () => {
    const { id } = await endpoint()
    await made(1)
    const [delivery] = await webhooks.deliveries()
    expect(
      (await redeliver({ em: em(), sendRetries }, { id: delivery?.id ?? '', userId: webhooks.ledger.userId }))
        .id,
    ).toBe(delivery?.id)
    expect((await readAll(id)).ids).toEqual([delivery?.id])
  })

  it('and a sample wait to be read as everything does', async () => {
    const { id } = await endpoint()
    const sample = await sendSample(webhooks.tools, { endpointId: id, userId: webhooks.ledger.userId })
    expect(sample).toMatchObject({ status: 'pending', isSample: true, nextAttemptAt: null })
    const { events } = await page(id)
    expect(JSON.parse(events[0]?.body ?? '{}')).toMatchObject({ data: { test: true } })
  })
})

describe('a reader is refused', () => {
  it('by an endpoint that is called, a disabled one, and one of somebody else', async () => {
    const { id: called } = await webhooks.endpoint({ url: 'https://hooks.example.com/' })
    await expect(page(called)).rejects.toMatchObject({ code: 'conflict' })
    const { id } = await endpoint()
    await updateEndpoint(sealing(), owned(id), { enabled: false })
    await expect(page(id)).rejects.toMatchObject({ code: 'conflict' })
    const asked = { endpointId: id, userId: newUuid7(), after: pullPlace.beginning }
    await expect(readEvents(sealing(), asked, ENOUGH)).rejects.toMatchObject({ code: 'not_found' })
  })

  it('what it may not read any more, which is cancelled', async () => {
    const { ledger } = webhooks
    const { userId } = await createAccount(em(), { email: 'grace@example.com', plan: 'enterprise' })
    await webhooks.query(
      `INSERT INTO memberships (id, team_id, user_id, role) VALUES ($1, $2, $3, 'member')`,
      [newUuid7(), ledger.teamId, userId],
    )
    const { id } = await endpoint({ userId, teamFilterId: ledger.teamId })
    const [hidden, shown] = await ledger.submit({ visibility: 'team' }, { visibility: 'team' })
    await webhooks.fanOutAll()
    await updateItem(em(), { id: hidden?.id ?? '', userId: ledger.userId }, { visibility: 'private' })
    const read = async () => {
      await nothingIsHeldBack()
      return readEvents(sealing(), { endpointId: id, userId, after: pullPlace.beginning }, ENOUGH)
    }
    expect((await read()).events.map(({ body }) => JSON.parse(body).data.id)).toEqual([shown?.id])
    expect((await statuses()).toSorted()).toEqual(['cancelled', 'success'])
    const withheld = (await webhooks.deliveries()).find(({ status }) => status === 'cancelled')
    expect(withheld?.attemptLog).toEqual([entryOf(withheld)])
    expect(withheld?.error).toMatch(/may no longer read/)
    expect((await read()).events).toHaveLength(1)
    expect(told).toEqual([{ success: 1, cancelled: 1 }])
  })
})

describe('what waits to be read', () => {
  it('is never called, and is not late', async () => {
    await endpoint()
    await made(2)
    expect(await webhooks.deliverDue()).toEqual([])
    expect(await queueAge(em())).toBe(0)
    await webhooks.query(`UPDATE webhook_deliveries SET updated_at = pharos_now() + interval '1 hour'`)
    await moveDeliveriesBack(em())
    expect(await dueEndpoints(em(), { limit: 10 })).toEqual([])
    expect(await statuses()).toEqual(['pending', 'pending'])
  })

  it('is recorded as cancelled while the endpoint is disabled, and recovered afterwards', async () => {
    const { id } = await endpoint({ enabled: false })
    await made(1)
    expect(await webhooks.deliveries()).toMatchObject([{ status: 'cancelled', attempts: 0, attemptLog: [] }])
    await updateEndpoint(sealing(), owned(id), { enabled: true })
    expect((await readAll(id)).ids).toEqual([])
    await recover(
      { em: em(), sendRetries },
      { endpointId: id, userId: webhooks.ledger.userId, since: new Date(0) },
    )
    expect((await readAll(id)).ids).toHaveLength(1)
  })

  it('is cancelled with its endpoint, however much it is', async () => {
    const { id } = await endpoint()
    await insertMany(id, 4_500)
    await deleteEndpoint(em(), owned(id))
    await webhooks.deliverDue()
    expect(new Set(await statuses())).toEqual(new Set(['cancelled']))
  })

  it('is gone after 31 days', async () => {
    const { id } = await endpoint()
    await insertMany(id, 3, new Date(Date.now() - 32 * 86_400_000))
    await insertMany(id, 2, new Date(Date.now() - 30 * 86_400_000))
    expect(await pruneDeliveries(em(), 100)).toBe(3)
    expect((await readAll(id)).ids).toHaveLength(2)
  })
})
