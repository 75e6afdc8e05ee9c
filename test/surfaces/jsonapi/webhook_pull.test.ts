// Asking a pull endpoint over HTTP: what may be said when it is made, and how a request waits for what comes.
import { type ClientRequest, request } from 'node:http'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { WAIT_PLACES } from '../../../server/domain/webhooks/pulling/pull_waits.ts'
import { type LogLine, openTestApp, type TestAccount, type TestApp } from '../../support/app.ts'
import { type Answer, ask, eventually } from '../../support/http.ts'
import { claimsOf } from '../../support/ledger.ts'
import { testApp } from '../../support/test_app.ts'
import { errorsOf, refusals, resourceOf } from './documents.ts'

/** Few, so that requests that wait would soon leave no place to others. */
const app = testApp({ ceilings: { requests: 4 } })
afterAll(() => {
  const isFault = ({ level, msg }: LogLine) => level === 'error' || msg === 'webhooks.delivery_failed'
  expect(app.logged.filter(isFault)).toEqual([])
})
const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
  await app.query('DELETE FROM webhook_endpoints')
  await app.query('DELETE FROM webhook_deliveries')
})

const PATH = '/api/json/webhook-endpoints'
/** Longer than any test takes, so that whatever ends sooner was ended by what the test did. */
const LONG = 30

const create = (attributes: object, by: TestAccount = app.owner) =>
  ask(app.port, PATH, {
    key: by.key,
    body: {
      json: {
        data: {
          type: 'webhook_endpoint',
          attributes: { kind: 'pull', resource_type: 'item', events: ['item.created'], ...attributes },
        },
      },
    },
  })
async function endpoint(by?: TestAccount): Promise<string> {
  const answer = await create({}, by)
  expect(answer.status, answer.text).toBe(201)
  return (answer.json() as { data: { id: string } }).data.id
}
const submit = () =>
  ask(app.port, '/api/json/items', {
    key: app.owner.key,
    body: { json: { data: { type: 'item', attributes: { claims: claimsOf(`file ${Math.random()}`) } } } },
  })

interface Page {
  readonly id: string
  readonly events: readonly {
    readonly id: string
    readonly headers: Record<string, string>
    readonly body: string
  }[]
  readonly next: string
}
const pageOf = (answer: Answer): Page => {
  expect(answer.status, answer.text).toBe(200)
  return answer.json() as Page
}
const events = (
  id: string,
  query: Record<string, string | number> = {},
  on: Pick<TestApp, 'port'> = app,
  by = app.owner,
) => {
  const words = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]))
  return ask(on.port, `${PATH}/${id}/events?${words}`, { key: by.key })
}
/** Readers of this endpoint that wait at the server, as it sees them: one more would be refused. */
const isFull = (id: string, by = app.owner) =>
  eventually(async () => ((await events(id, { wait: 1 }, app, by)).status === 429 ? true : undefined))

describe('making one', () => {
  it('takes no address and nothing that would be sent there, and the other kind needs one', async () => {
    const answer = await create({})
    expect(answer.json()).toMatchObject({ data: { attributes: { kind: 'pull', url: null, enabled: true } } })
    for (const [name, value] of Object.entries({
      url: 'https://hooks.example.com/',
      auth_type: 'bearer',
      auth_secret: 'x',
      custom_headers: { 'x-a': 'b' },
    }))
      expect(refusals(await create({ [name]: value }))).toEqual([
        `400 invalid_attribute /data/attributes/${name}`,
      ])
    expect(refusals(await create({ kind: 'push' }))).toEqual(['400 required /data/attributes/url'])
    expect(refusals(await create({ kind: 'other' }))).toEqual(['400 invalid_attribute /data/attributes/kind'])
  })

  it('is for good: a change takes neither an address nor another kind', async () => {
    const id = await endpoint()
    const change = (attributes: object) =>
      ask(app.port, `${PATH}/${id}`, {
        method: 'PATCH',
        key: app.owner.key,
        body: { json: { data: { type: 'webhook_endpoint', id, attributes } } },
      })
    for (const attributes of [
      { url: 'https://hooks.example.com/' },
      { kind: 'push' },
      { auth_type: 'bearer', auth_secret: 'x' },
    ])
      expect((await change(attributes)).status).toBe(400)
    expect((await change({ description: 'mine', signing: 'v1' })).status).toBe(200)
  })
})

describe('asking', () => {
  it('goes on after the place that the answer before gave, and refuses others', async () => {
    const id = await endpoint()
    const empty = pageOf(await events(id))
    expect(empty).toMatchObject({ id, events: [] })
    await submit()
    const first = await eventually(async () => {
      const page = pageOf(await events(id, { after: empty.next }))
      return page.events.length > 0 ? page : undefined
    })
    expect(first.events).toHaveLength(1)
    expect(JSON.parse(first.events[0]?.body ?? '')).toMatchObject({ type: 'item.created' })
    expect(pageOf(await events(id, { after: first.next }))).toEqual({ id, events: [], next: first.next })
    for (const after of [
      'x',
      Buffer.from('1').toString('base64url'),
      Buffer.from(`${'9'.repeat(20)}.`).toString('base64url'),
      'A'.repeat(200),
    ])
      expect(refusals(await events(id, { after }))).toEqual(['400 invalid_argument after'])
    for (const wait of ['-1', '31', '1.5', 'x', '100'])
      expect(refusals(await events(id, { wait }))).toEqual(['400 invalid_argument wait'])
  })

  it('is possible on GraphQL, without a wait', async () => {
    const id = await endpoint()
    const query = `{ listWebhookEndpointEvents(id: "${id}") { id events next } }`
    const answer = await ask(app.port, '/gql', {
      key: app.owner.key,
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ query }),
    })
    expect(answer.json()).toMatchObject({
      data: { listWebhookEndpointEvents: { id, events: expect.anything() } },
    })
  })

  it('is refused to others, and of an endpoint that is called', async () => {
    const id = await endpoint()
    const stranger = await app.account('grace')
    expect(refusals(await events(id, { wait: LONG }, app, stranger))).toEqual(['404 not_found'])
    const called = await create({ kind: 'push', url: 'https://hooks.example.com/' })
    const { id: pushed } = (called.json() as { data: { id: string } }).data
    expect(refusals(await events(pushed, { wait: LONG }))).toEqual(['409 conflict'])
  })
})

describe('what was read', () => {
  /** Deliveries that were read first at this server, by its metrics. */
  const counted = async (): Promise<number> => {
    const { text } = await ask(app.port, '/metrics')
    const [, count = '0'] =
      /^pharos_webhook_attempts_total\{kind="pull",status="success"\} (\d+)$/m.exec(text) ?? []
    return Number(count)
  }

  it('is told as what was sent: by its attempts, the statistics, the metrics and the log, and once', async () => {
    const id = await endpoint()
    await submit()
    const before = await counted()
    const [{ id: delivery } = expect.fail('no event')] = await eventually(async () => {
      const page = pageOf(await events(id))
      return page.events.length > 0 ? page.events : undefined
    })
    await events(id)
    const fields = 'fields[webhook_delivery]=attempts,first_attempt_at,attempt_log'
    const answer = await ask(app.port, `/api/json/webhook-deliveries/${delivery}?${fields}`, {
      key: app.owner.key,
    })
    const { first_attempt_at, ...told } = resourceOf(answer).attributes
    const [at, log] = [first_attempt_at, { resolved_addresses: [], address: null, http_status: null }]
    expect(told).toEqual({
      attempts: 1,
      attempt_log: [{ number: 1, at, ...log, error: null, duration_ms: null }],
    })
    expect(at).toMatch(/Z$/)
    const statistics = await ask(app.port, `${PATH}/${id}/statistics`, { key: app.owner.key })
    expect(statistics.json()).toMatchObject({ success: 1, pending: 0, failed: 0, cancelled: 0 })
    expect((await counted()) - before).toBe(1)
    expect(app.logged.filter(({ endpoint_id }) => endpoint_id === id)).toMatchObject([
      { msg: 'webhook.read', success: 1, cancelled: 0 },
    ])
  })

  it('is read again when it is sent again, and nobody is called for it', async () => {
    const id = await endpoint()
    await submit()
    const { events: read, next } = await eventually(async () => {
      const page = pageOf(await events(id))
      return page.events.length > 0 ? page : undefined
    })
    const act = (path: string, data: object = {}) =>
      ask(app.port, `/api/json/${path}`, { key: app.owner.key, body: { json: { data } } })
    expect((await act(`webhook-deliveries/${read[0]?.id}/redeliver`)).status).toBe(201)
    const again = await eventually(async () => {
      const page = pageOf(await events(id, { after: next }))
      return page.events.length > 0 ? page : undefined
    })
    const range = { from: new Date(0).toISOString(), until: new Date(Date.now() + 60_000).toISOString() }
    expect((await act(`webhook-endpoints/${id}/replay`, range)).json()).toEqual({ result: { count: 1 } })
    const last = await eventually(async () => {
      const page = pageOf(await events(id, { after: again.next }))
      return page.events.length > 0 ? page : undefined
    })
    const messages = [read, again.events, last.events].map((page) =>
      page.map(({ headers }) => headers['webhook-id']),
    )
    expect(messages).toEqual(Array.from({ length: 3 }, () => [read[0]?.headers['webhook-id']]))
  })
})

/** A reader for which there is a place in the end. */
async function waitsAt(...asked: Parameters<typeof events>): Promise<Answer> {
  for (;;) {
    const answer = await events(...asked)
    if (answer.status !== 429) return answer
  }
}

describe('waiting', () => {
  it('ends at once when something comes, also on another server, and answers what came', async () => {
    const id = await endpoint()
    const other = await openTestApp({ beside: app })
    closing.push(other.close)
    const waiting = [waitsAt(id, { wait: LONG }), waitsAt(id, { wait: LONG }, other)]
    await isFullOf(id, 1)
    await submit()
    for (const page of (await Promise.all(waiting)).map(pageOf)) expect(page.events).toHaveLength(1)
  })

  it('ends with nothing when the time is over', async () => {
    const id = await endpoint()
    expect(pageOf(await events(id, { wait: 1 }))).toMatchObject({ events: [] })
  })

  it('ends with a stop, and a reader goes on elsewhere where it was', async () => {
    const id = await endpoint()
    await submit()
    const before = await eventually(async () => {
      const page = pageOf(await events(id))
      return page.events.length > 0 ? page : undefined
    })
    const other = await openTestApp({ beside: app })
    const waiting = waitsAt(id, { wait: LONG, after: before.next }, other)
    waitUntilLeft(id, other, before.next)
    await eventually(async () =>
      (await events(id, { wait: 1, after: before.next }, other)).status === 429 ? true : undefined,
    )
    await other.close()
    const { next, events: none } = pageOf(await waiting)
    expect(none).toEqual([])
    await submit()
    const after = await eventually(async () => {
      const page = pageOf(await events(id, { after: next }))
      return page.events.length > 0 ? page : undefined
    })
    expect(after.events).toHaveLength(1)
    expect(after.events[0]?.id).not.toBe(before.events[0]?.id)
  })

  it('takes no place from other requests, and few of its own; who leaves gives it back', async () => {
    const ids: string[] = []
    for (let n = 0; n < WAIT_PLACES.account / WAIT_PLACES.endpoint; n += 1) ids.push(await endpoint())
    const leaving: (() => void)[] = []
    for (const id of ids) for (let n = 0; n < WAIT_PLACES.endpoint; n += 1) leaving.push(waitUntilLeft(id))
    for (const id of ids) await isFull(id)
    const refused = await events(ids[0] ?? '', { wait: LONG })
    expect(errorsOf(refused)).toMatchObject([
      { code: 'rate_limited', meta: { maximum: WAIT_PLACES.endpoint, retry_after_ms: expect.any(Number) } },
    ])
    expect(errorsOf(await events(await endpoint(), { wait: LONG }))).toMatchObject([
      { code: 'rate_limited', meta: { maximum: WAIT_PLACES.account } },
    ])
    // More wait than there are places for requests that are worked on, and more than connections to the database.
    for (let n = 0; n < 20; n += 1)
      expect((await ask(app.port, PATH, { key: app.owner.key })).status).toBe(200)
    const [{ held } = expect.fail('no row')] = await app.query<{ held: number }>(
      `SELECT count(*)::int AS held FROM pg_stat_activity
        WHERE datname = current_database() AND state LIKE 'idle in transaction%'`,
    )
    expect(held).toBe(0)
    for (const leave of leaving) leave()
    await eventually(async () =>
      (await events(ids[0] ?? '', { wait: 1 })).status === 200 ? true : undefined,
    )
  })
})

/** Waits until so many readers wait at the first server. */
const isFullOf = async (id: string, already: number): Promise<void> => {
  const leaving = Array.from({ length: WAIT_PLACES.endpoint - already }, () => waitUntilLeft(id))
  await isFull(id)
  for (const leave of leaving) leave()
}

/** A reader that waits, and asks again when it is answered, until the returned function is called. */
function waitUntilLeft(id: string, on: Pick<TestApp, 'port'> = app, after = ''): () => void {
  let hasLeft = false
  let client: ClientRequest | undefined
  const begin = (): void => {
    if (hasLeft) return
    client = request({
      host: '127.0.0.1',
      port: on.port,
      path: `${PATH}/${id}/events?wait=${LONG}&after=${after}`,
      headers: { Authorization: `Bearer ${app.owner.key}` },
      agent: false,
    })
    client.on('error', () => undefined)
    client.on('close', () => setTimeout(begin, 20))
    client.on('response', (response) => response.resume())
    client.end()
  }
  begin()
  const leave = (): void => {
    hasLeft = true
    client?.destroy()
  }
  closing.push(async () => leave())
  return leave
}
