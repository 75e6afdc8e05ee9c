// Servers that share a database are killed one after the other while a reader pulls, keys are rotated and a range is sent
// again. What came out is compared delivery by delivery.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Webhook } from 'standardwebhooks'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { temporaryFolder, undoAll } from '../store/embedded_support.ts'
import { openTestApp, type TestApp } from '../support/app.ts'
import { forgetWebhooks } from '../support/forget_webhooks.ts'
import { freePort } from '../support/free_port.ts'
import { type Answer, ask, eventually } from '../support/http.ts'
import { TEST_MASTER_KEY } from '../support/master_key.ts'
import { openReceiver, type Receiver, TEST_AUTHORITY } from '../support/receiver.ts'
import { QUIET, type ServerProcess, spawnServer } from '../support/server_process.ts'
import { sizeOf } from '../support/sizes.ts'

const KILLS = sizeOf('kills')
const KILLED_REPLAYS = sizeOf('killed_replays')
const PATH = '/api/json/webhook-endpoints'

let app: TestApp
let receiver: Receiver
let ports: readonly number[]
let servers: ServerProcess[]

async function start(port: number): Promise<ServerProcess> {
  const folder = await temporaryFolder()
  const ca = join(folder, 'ca.pem')
  await writeFile(ca, TEST_AUTHORITY.cert)
  return spawnServer({
    ...QUIET,
    PORT: String(port),
    DATABASE_URL: app.database.url,
    DATA_DIR: folder,
    MASTER_KEY: TEST_MASTER_KEY.toString('hex'),
    BLOCK_INTERVAL: '1h',
    WEBHOOK_ALLOW_ADDRESSES: '127.0.0.0/8',
    NODE_EXTRA_CA_CERTS: ca,
    LIMIT_LOOP_DELAY_MS: '600000',
    // Whoever is refused does nothing that a kill could break.
    LIMIT_CALLER_PER_MINUTE: '1000000',
    LIMIT_CALLER_WORK_PER_MINUTE: '1000000',
    LIMIT_ADDRESS_PER_MINUTE: '1000000',
  })
}

beforeAll(async () => {
  app = await openTestApp()
  await app.stop()
  receiver = await openReceiver()
  ports = [await freePort(), await freePort()]
  servers = await Promise.all(ports.map(start))
  await Promise.all(servers.map(({ ready }) => ready))
}, 120_000)
afterEach(async () => {
  await forgetWebhooks(app)
  receiver.heard.length = 0
})
afterAll(async () => {
  for (const { kill } of servers) kill('SIGKILL')
  await Promise.all(servers.map(({ ended }) => ended))
  await receiver.close()
  await app.close()
  await undoAll()
})

/** @param meanwhile before it is started again */
async function killServer(nth: number, meanwhile?: () => Promise<unknown>): Promise<void> {
  servers[nth]?.kill('SIGKILL')
  await servers[nth]?.ended
  await meanwhile?.()
  servers[nth] = await start(ports[nth] ?? 0)
  await servers[nth]?.ready
}

/** Those of who was killed would end by themselves, later. */
const endLeases = () => app.query('UPDATE webhook_endpoints SET lease_id = NULL, leased_until = NULL')

const api = (nth: number, path: string, data?: object): Promise<Answer> =>
  ask(ports[nth % ports.length] ?? 0, path, {
    key: app.owner.key,
    ...(data === undefined ? {} : { body: { json: { data } } }),
  })

const made = z.object({
  data: z.object({ id: z.string() }),
  meta: z.object({ signing_secret: z.string().optional() }).optional(),
})

async function endpoint(attributes: object) {
  const given = { resource_type: 'item', events: ['item.created'], ...attributes }
  const answer = await api(0, PATH, { type: 'webhook_endpoint', attributes: given })
  expect(answer.status, answer.text).toBe(201)
  const { data, meta } = made.parse(answer.json())
  return { id: data.id, secret: meta?.signing_secret ?? '' }
}

/** Milliseconds between two requests of a client, in which the servers do the work that it makes. */
const PACE_MS = 10

/** What a client does until it is stopped, at one server after the other. One that was killed is no fault of the client. */
function keepDoing(once: (nth: number) => Promise<void>) {
  let isOver = false
  const work = (async () => {
    for (let nth = 0; !isOver; nth += 1) {
      await once(nth).catch((error: unknown) => {
        // What Node says of a connection that was refused or cut.
        if (!(error instanceof Error && 'code' in error)) throw error
      })
      await new Promise((resolve) => setTimeout(resolve, PACE_MS))
    }
  })()
  // Who found something wrong ends the test, and not the process, when it is waited for.
  work.catch(() => undefined)
  return {
    stop: async () => {
      isOver = true
      await work
    },
  }
}

/** Submits items. Those that were answered are kept. */
function keepSubmitting() {
  const answered: string[] = []
  const claims = { name: 'a file', hash: 'ab'.repeat(32), hash_type: 'sha256' }
  const { stop } = keepDoing(async (nth) => {
    const answer = await api(nth, '/api/json/items', { type: 'item', attributes: { claims } })
    if (answer.status === 201) answered.push(made.parse(answer.json()).data.id)
  })
  return { answered, stop }
}

/** The deliveries of an endpoint, once every item that came after it has its own. */
async function deliveriesOf(endpointId: string) {
  return eventually(async () => {
    const [missing] = await app.query(
      `SELECT FROM items i JOIN webhook_endpoints e ON e.id = $1 AND i.inserted_at > e.inserted_at
        WHERE NOT EXISTS (
         SELECT FROM webhook_deliveries d WHERE d.endpoint_id = e.id AND d.resource_id = i.id) LIMIT 1`,
      [endpointId],
    )
    if (missing !== undefined) return undefined
    return app.query<{ id: string; resource_id: string; message_id: string; status: string }>(
      'SELECT id, resource_id, message_id, status FROM webhook_deliveries WHERE endpoint_id = $1 ORDER BY id',
      [endpointId],
    )
  }, 120_000)
}

const page = z.object({ events: z.array(z.object({ id: z.string() })), next: z.string() })

it(
  `${KILLS} kills: a reader that keeps its place gets every delivery once`,
  async () => {
    const { id } = await endpoint({ kind: 'pull' })
    const read: string[] = []
    let after = ''
    let isAtEnd = false
    const reader = keepDoing(async (nth) => {
      const answer = await api(nth, `${PATH}/${id}/events?wait=1&after=${after}`)
      if (answer.status !== 200) return
      const { events, next } = page.parse(answer.json())
      read.push(...events.map((event) => event.id))
      after = next
      isAtEnd = events.length === 0
    })
    const writer = keepSubmitting()
    for (let kill = 0; kill < KILLS; kill += 1) {
      const before = read.length
      await eventually(() => (read.length >= before + 20 ? true : undefined), 120_000)
      await killServer(kill % ports.length)
    }
    await writer.stop()
    const all = await deliveriesOf(id)
    await eventually(() => (isAtEnd && read.length >= all.length ? true : undefined), 60_000)
    await reader.stop()
    expect(read.toSorted()).toEqual(all.map((one) => one.id))
    const resources = all.map(({ resource_id }) => resource_id)
    expect(new Set(resources).size).toBe(resources.length)
    for (const item of writer.answered) expect(resources).toContain(item)
    const unread = await app.query(
      `SELECT id FROM webhook_deliveries WHERE endpoint_id = $1 AND status <> 'success'`,
      [id],
    )
    expect(unread).toEqual([])
  },
  120_000 + KILLS * 60_000,
)

const signedHeaders = z.object({
  'webhook-id': z.string(),
  'webhook-timestamp': z.string(),
  'webhook-signature': z.string(),
})

it(
  `${KILLS} kills while keys are rotated: every request has a signature that its receiver can check`,
  async () => {
    const { id, secret } = await endpoint({ url: receiver.url('127.0.0.1', '/'), signing: 'v1' })
    const secrets = [secret]
    const rotate = async (nth: number, overlap: number): Promise<void> => {
      const answer = await api(nth, `${PATH}/${id}/rotate-secret`, { overlap })
      // Too many keys stand beside each other, or the server stops.
      if (answer.status !== 201) return
      secrets.push(
        z.object({ result: z.object({ signing_secret: z.string() }) }).parse(answer.json()).result
          .signing_secret,
      )
    }
    const writer = keepSubmitting()
    for (let kill = 0; kill < KILLS; kill += 1) {
      const before = writer.answered.length
      await eventually(() => (writer.answered.length >= before + 10 ? true : undefined), 120_000)
      const rotation = rotate(kill, 3_600).catch(() => undefined)
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 20))
      await killServer(kill % ports.length)
      await rotation
      // A key whose answer was lost may be the newest. Another one takes its place, and a few keys stand at most.
      await rotate(kill, kill % 2 === 0 ? 3_600 : 0)
    }
    await writer.stop()
    const all = await deliveriesOf(id)
    await endLeases()
    await eventually(async () => {
      const [waiting] = await app.query(`SELECT FROM webhook_deliveries WHERE status = 'pending' LIMIT 1`)
      return waiting === undefined ? true : undefined
    }, 120_000)
    const heard = new Set<string>()
    for (const { body, headers } of receiver.heard) {
      const signed = signedHeaders.parse(headers)
      expect(secrets.some((one) => isSigned(one, body, signed))).toBe(true)
      expect(isSigned(`whsec_${Buffer.alloc(32).toString('base64')}`, body, signed)).toBe(false)
      heard.add(signed['webhook-id'])
    }
    expect([...heard].toSorted()).toEqual(all.map(({ message_id }) => message_id).toSorted())
    expect(new Set(all.map(({ resource_id }) => resource_id)).size).toBe(all.length)
  },
  120_000 + KILLS * 60_000,
)

/** Whether one of the signatures is of this secret. It may be long ago, so the time is not judged. */
function isSigned(secret: string, body: string, signed: z.output<typeof signedHeaders>): boolean {
  const at = new Date(Number(signed['webhook-timestamp']) * 1_000)
  const wanted = new Webhook(secret).sign(signed['webhook-id'], at, body)
  return signed['webhook-signature'].split(' ').includes(wanted)
}

const replayed = z.object({ result: z.object({ next_from: z.string().optional() }) })

/** The messages of a range that got through before it is sent again. */
const SENT = 4_500

it(
  'a replay that was killed in the middle is asked for again, and what got through meanwhile is not sent once more',
  async () => {
    const { id } = await endpoint({ url: receiver.url('127.0.0.1', '/') })
    const began = new Date(Date.now() - 60_000).toISOString()
    const range = { from: began, until: new Date(Date.parse(began) + SENT).toISOString() }
    const count = async (status: string): Promise<number> => {
      const [found] = await app.query<{ count: number }>(
        `SELECT count(*)::int AS count FROM webhook_deliveries WHERE status = $1 AND id NOT LIKE 'old %'`,
        [status],
      )
      return found?.count ?? 0
    }
    for (let kill = 0; kill < KILLED_REPLAYS; kill += 1) {
      await app.query('DELETE FROM webhook_deliveries')
      receiver.heard.length = 0
      await app.query(
        `INSERT INTO webhook_deliveries (id, user_id, endpoint_id, event_type, resource_type, resource_id, message_id,
                                       creator_id, team_id, visibility, status, completed_at, inserted_at, payload)
       SELECT 'old ' || lpad(n::text, 6, '0'), $2, $1, 'item.created', 'item', 'item ' || n, 'msg ' || n, $2, $4, 'private',
              'success', pharos_now(), $5::timestamptz + n * interval '1 millisecond', '{}'
         FROM generate_series(1, $3::int) AS n`,
        [id, app.owner.userId, SENT, app.owner.teamId, began],
      )
      const cut = api(kill, `${PATH}/${id}/replay`, range).catch(() => undefined)
      await eventually(async () => ((await count('pending')) > 0 ? true : undefined))
      await killServer(kill % ports.length, endLeases)
      await cut
      await eventually(async () => ((await count('success')) > 0 ? true : undefined))
      // Its caller was not answered, so it asks for all once more. A call says what is left when it ends before all is done.
      for (let from: string | undefined = began; from !== undefined; ) {
        const rest = await api(kill + 1, `${PATH}/${id}/replay`, { ...range, from })
        expect(rest.status, rest.text).toBe(201)
        from = replayed.parse(rest.json()).result.next_from
      }
      await eventually(async () => ((await count('pending')) === 0 ? true : undefined), 120_000)
      const made = await app.query<{ id: string; message_id: string; status: string }>(
        `SELECT id, message_id, status FROM webhook_deliveries WHERE id NOT LIKE 'old %' ORDER BY message_id`,
      )
      expect(made.map(({ status }) => status)).toEqual(Array.from({ length: SENT }, () => 'success'))
      expect(new Set(made.map(({ message_id }) => message_id)).size).toBe(SENT)
      // A request that was under way when its server was killed is made again, as the same delivery.
      const heard = new Map<unknown, unknown>()
      for (const { headers } of receiver.heard) {
        const delivery = headers['x-pharos-delivery']
        expect(heard.get(headers['webhook-id']) ?? delivery).toBe(delivery)
        heard.set(headers['webhook-id'], delivery)
      }
      expect([...heard].toSorted(byMessage)).toEqual(
        made.map(({ id, message_id }) => [message_id, id]).toSorted(byMessage),
      )
    }
  },
  120_000 + KILLED_REPLAYS * 60_000,
)

const byMessage = ([one]: readonly unknown[], [other]: readonly unknown[]): number =>
  String(one).localeCompare(String(other))
