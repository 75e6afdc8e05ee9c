// Receivers that take a request and never answer, and how long events take to reach the receivers that do: one of the
// same account, and one of another.
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Pool } from 'undici'
import { createAccount } from '../../server/domain/accounts/account_door.ts'
import { createApiKey } from '../../server/domain/accounts/api_key.ts'
import { createEndpoint } from '../../server/domain/webhooks/endpoints/change_endpoint.ts'
import { masterKey } from '../../server/kernel/sealed.ts'
import { type Ground, openGround } from '../bench/ground.ts'
import { NO_LIMITS, startServer } from '../bench/server_process.ts'
import { Started } from '../bench/started.ts'
import { openReceiver, type Receiver, TEST_AUTHORITY } from '../support/receiver.ts'
import { makeTemporaryFolder } from '../support/temporary_folder.ts'
import { percentile } from './callers.ts'

/** Milliseconds from the submission of an item until its event arrived. */
interface Arrivals {
  /** Events. Those that did not arrive count with the time until the end. */
  readonly count: number
  readonly p50: number
  readonly p95: number
  readonly p99: number
  readonly worst: number
}

interface HangingFigures {
  readonly hanging: number
  /** The receiver that answers, of the account whose other receivers hang. */
  readonly own: Arrivals
  readonly others: Arrivals
}

/** Every endpoint is new at the first event, so nothing is known of any. */
const EVENTS = 250
const EVERY_MS = 200
/** Events that have not arrived this long after the last submission count as that late. */
const MOST_WAIT_MS = 30_000

/** Milliseconds. `deploy/README.md` states this number. */
const MOST_P95_MS = 500

/** @returns whether every bound holds */
export async function besetWithHanging(say: (line: string) => void): Promise<boolean> {
  const verdicts: boolean[] = []
  for (const hanging of [60, 260]) {
    const started = new Started(say)
    const figures = await measureHanging(hanging, started).finally(() => started.end())
    for (const whose of ['own', 'others'] as const) {
      const { count, p50, p95, p99, worst } = figures[whose]
      const holds = p95 < MOST_P95_MS
      verdicts.push(holds)
      say(
        `${holds ? 'holds' : 'FAILS'}: ${hanging} hanging receivers, ${whose}: ${count} events, p50 ${p50} ms, ` +
          `p95 ${p95} ms (below ${MOST_P95_MS}), p99 ${p99} ms, worst ${worst} ms`,
      )
    }
  }
  return verdicts.every(Boolean)
}

/** All receivers have one host, so that neither the address nor the name tells them apart. */
async function measureHanging(hanging: number, started: Started): Promise<HangingFigures> {
  const ground = await openGround(started)
  const folder = await makeTemporaryFolder('pharos-soak-')
  started.add('the folder of the certificate', () => rm(folder, { recursive: true, force: true }))
  const receiver = await openReceiver()
  started.add('the receiver', receiver.close)
  await writeFile(join(folder, 'ca.pem'), TEST_AUTHORITY.cert)
  const server = await startServer(ground, {
    ...NO_LIMITS,
    PUBLIC_CHAINS: 'none',
    WEBHOOK_ALLOW_ADDRESSES: '127.0.0.0/8',
    NODE_EXTRA_CA_CERTS: join(folder, 'ca.pem'),
  })
  const other = await secondAccount(ground)
  for (let n = 0; n < hanging; n += 1)
    await endpoint(ground, ground.userId, receiver.url('127.0.0.1', `/hang/${n}`))
  await endpoint(ground, ground.userId, receiver.url('127.0.0.1', '/own'))
  await endpoint(ground, other.userId, receiver.url('127.0.0.1', '/others'))
  const arrived = noteArrivals(receiver)
  const [own, others] = await Promise.all([
    submitSteadily(server.base, ground.apiKey),
    submitSteadily(server.base, other.key),
  ])
  const ends = Date.now() + MOST_WAIT_MS
  while (arrived.size < own.size + others.size && Date.now() < ends) await pause(EVERY_MS)
  const now = Date.now()
  const waits = (sent: ReadonlyMap<string, number>): Arrivals =>
    arrivals([...sent].map(([id, at]) => (arrived.get(id) ?? now) - at))
  return { hanging, own: waits(own), others: waits(others) }
}

/** When each item's event arrived at a receiver that answers. The hanging ones are told from it by their paths. */
function noteArrivals(receiver: Receiver): ReadonlyMap<string, number> {
  const arrived = new Map<string, number>()
  receiver.respond((response, { path, body, at }) => {
    if (path.startsWith('/hang/')) return
    const { data }: { data: { id: string } } = JSON.parse(body)
    if (!arrived.has(data.id)) arrived.set(data.id, at)
    response.writeHead(204).end()
  })
  return arrived
}

/** Submits one item at a fixed interval, whatever became of the one before. Returns when each was sent, by its id. */
async function submitSteadily(base: string, key: string): Promise<ReadonlyMap<string, number>> {
  const pool = new Pool(base, { connections: 16 })
  const claims = { name: 'a file', hash: 'ab'.repeat(32), hash_type: 'sha256' }
  const body = JSON.stringify({ data: { type: 'item', attributes: { claims } } })
  const headers = { 'content-type': 'application/vnd.api+json', authorization: `Bearer ${key}` }
  const sent = new Map<string, number>()
  const submit = async (): Promise<void> => {
    const at = Date.now()
    const answer = await pool.request({ path: '/api/json/items', method: 'POST', headers, body })
    const text = await answer.body.text()
    if (answer.statusCode !== 201) throw new Error(`An item was refused: ${answer.statusCode} ${text}`)
    const { data }: { data: { id: string } } = JSON.parse(text)
    sent.set(data.id, at)
  }
  const began = performance.now()
  const submitting: Promise<void>[] = []
  for (let n = 0; n < EVENTS; n += 1) {
    await pause(Math.max(0, began + n * EVERY_MS - performance.now()))
    submitting.push(submit())
  }
  await Promise.all(submitting)
  await pool.close()
  return sent
}

async function secondAccount({ store }: Ground): Promise<{ readonly userId: string; readonly key: string }> {
  const account = { email: 'other@example.com', firstName: 'Other', plan: 'enterprise' } as const
  const { userId } = await createAccount(store.em(), account)
  const { secret } = await createApiKey(store.em(), { userId, name: 'soak' })
  return { userId, key: secret }
}

const endpoint = ({ store, masterKeyHex }: Ground, userId: string, url: string) =>
  createEndpoint(
    { em: store.em(), masterKey: masterKey(Buffer.from(masterKeyHex, 'hex')) },
    { userId, url, resourceType: 'item', events: ['item.created'] },
  )

function arrivals(waits: readonly number[]): Arrivals {
  const sorted = waits.toSorted((a, b) => a - b)
  const at = (part: number): number => percentile(sorted, part)
  return { count: sorted.length, p50: at(0.5), p95: at(0.95), p99: at(0.99), worst: at(1) }
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
