// 20,000 deliveries to 200 endpoints with log, retries and checks, compared with a bare undici loop to the
// same receiver, which has a process of its own.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Pool } from 'undici'
import { setFeatureFlag } from '../../server/domain/accounts/feature_flag.ts'
import { submittedClaims } from '../../server/domain/ledger/claims.ts'
import { draftItem } from '../../server/domain/ledger/item.ts'
import { submitItems } from '../../server/domain/ledger/submit_items.ts'
import { createEndpoint } from '../../server/domain/webhooks/endpoints/change_endpoint.ts'
import { fanOut } from '../../server/domain/webhooks/fan_out/fan_out.ts'
import { masterKey } from '../../server/kernel/sealed.ts'
import { makeAuthority } from '../support/certificate.ts'
import { row, rows } from '../support/rows.ts'
import { makeTemporaryFolder } from '../support/temporary_folder.ts'
import type { Ground } from './ground.ts'
import { type Measure, perSecond, timed } from './measurement.ts'
import { familyCpuMs, peakMib } from './process_use.ts'
import { endWith, NO_LIMITS, startServer } from './server_process.ts'
import type { Noted } from './webhook_receiver.ts'

const ENDPOINTS = 200
const EVENTS = 100
const DELIVERIES = ENDPOINTS * EVENTS
const CONNECTIONS = 64
const EVENTS_PER_SECOND = 100
const SECONDS = 10
const AIM = 0.4

export const deliverWebhooks: Measure = async (ground, say) => {
  const authority = makeAuthority('Test authority')
  const answered = startReceiver(ground)
  const origin = `https://127.0.0.1:${await answered<number>(authority.issue(['127.0.0.1']))}`
  const noted = () => answered<Noted>({})
  say('  making 20,000 deliveries')
  for (let n = 0; n < ENDPOINTS; n += 1) await addEndpoint(ground, `${origin}/${n}`)
  await submit(ground, EVENTS)
  const made = await timed(() => fanOutAll(ground))
  const { payload } = await row<{ payload: string }>(
    ground.store.em(),
    'SELECT payload FROM webhook_deliveries LIMIT 1',
  )

  say('  baseline: a bare undici loop')
  const bare = await used(() => bareLoop(ground, { origin, ca: authority.cert, body: payload }))
  await noted()
  say('  ours: the service, with its queue')
  await setFeatureFlag(ground.store.em(), 'webhooks.dispatch', false)
  const folder = await makeTemporaryFolder('pharos-bench-')
  ground.started.add('the folder of the certificate', () => rm(folder, { recursive: true, force: true }))
  await writeFile(join(folder, 'ca.pem'), authority.cert)
  const server = await startServer(ground, {
    ...NO_LIMITS,
    PUBLIC_CHAINS: 'none',
    WEBHOOK_ALLOW_ADDRESSES: '127.0.0.0/8',
    NODE_EXTRA_CA_CERTS: join(folder, 'ca.pem'),
  })
  const ours = await used(async () => {
    await setFeatureFlag(ground.store.em(), 'webhooks.dispatch', true)
    await untilDelivered(ground)
  })
  await noted()
  const mib = await peakMib(server.pid)

  say(`  commit to first byte at ${EVENTS_PER_SECOND} events/s`)
  await rows(ground.store.em(), 'DELETE FROM webhook_endpoints')
  await addEndpoint(ground, origin)
  await steadily(ground, server.base)
  await untilDelivered(ground)
  const { waits } = await noted()
  const sorted = waits.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN
  const ratio = bare.ms / ours.ms
  return {
    what: `deliver ${DELIVERIES} webhooks to ${ENDPOINTS} endpoints over TLS`,
    baseline: perSecond(DELIVERIES, bare.ms),
    ours: `${perSecond(DELIVERIES, ours.ms)} (making them took ${Math.round(made.ms)} ms)`,
    ratio,
    aim: `>= ${AIM}`,
    met: ratio >= AIM,
    // Of all processes: the sender, the receiver, and of ours the database too.
    cpu: { ours: (1_000 * ours.cpuMs) / DELIVERIES, baseline: (1_000 * bare.cpuMs) / DELIVERIES },
    ...(mib === undefined ? {} : { peakMib: mib }),
    notes: `submission to first byte at ${EVENTS_PER_SECOND} events/s: median ${at(0.5)} ms, p95 ${at(0.95)} ms (${sorted.length} events)`,
  }
}

/** @returns what sends a message and waits for the answer */
function startReceiver({ started }: Ground): <T>(message: object) => Promise<T> {
  const receiver = fork(new URL('./webhook_receiver.ts', import.meta.url))
  endWith(started, 'webhook_receiver.ts', receiver)
  const ended = once(receiver, 'exit').then(() => {
    throw new Error('webhook_receiver.ts ended.')
  })
  ended.catch(() => undefined)
  return async (message) => {
    receiver.send(message, () => undefined)
    const [answer] = await Promise.race([once(receiver, 'message'), ended])
    return answer
  }
}

async function used(work: () => Promise<void>): Promise<{ ms: number; cpuMs: number }> {
  const before = await familyCpuMs(process.pid)
  const { ms } = await timed(work)
  const after = await familyCpuMs(process.pid)
  return { ms, cpuMs: (after ?? Number.NaN) - (before ?? Number.NaN) }
}

const addEndpoint = ({ store, masterKeyHex, userId }: Ground, url: string) =>
  createEndpoint(
    { em: store.em(), masterKey: masterKey(Buffer.from(masterKeyHex, 'hex')) },
    {
      userId,
      url,
      resourceType: 'item',
      events: ['item.created'],
      authType: 'bearer',
      authSecret: 'a secret',
    },
  )

const claims = { name: 'a file', hash: 'ab'.repeat(32), hash_type: 'sha256' }

const submit = ({ store, signer, userId, teamId }: Ground, count: number) =>
  submitItems(
    { em: store.em(), signer },
    Array.from({ length: count }, () =>
      draftItem({ claims: submittedClaims(claims), creatorId: userId, teamId }),
    ),
  )

async function fanOutAll({ store }: Ground): Promise<void> {
  while ((await fanOut(store.em())).more);
}

async function bareLoop(
  { started }: Ground,
  { origin, ca, body }: { origin: string; ca: string; body: string },
): Promise<void> {
  const pool = new Pool(origin, { connections: CONNECTIONS, allowH2: false, connect: { ca } })
  started.add('the connections of the bare loop', () => pool.destroy())
  let left = DELIVERIES
  const loop = async (): Promise<void> => {
    while (left-- > 0) {
      const headers = { 'content-type': 'application/json' }
      const answer = await pool.request({ path: '/', method: 'POST', headers, body })
      await answer.body.dump()
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, loop))
  await pool.close()
}

async function untilDelivered({ store }: Ground): Promise<void> {
  for (;;) {
    const { waiting } = await row<{ waiting: boolean }>(
      store.em(),
      `SELECT EXISTS (SELECT FROM webhook_deliveries WHERE status = 'pending')
           OR EXISTS (SELECT FROM webhook_facts) AS waiting`,
    )
    if (!waiting) return
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

/** Causes one event at a fixed interval, whatever happened to the previous one. */
async function steadily({ started, apiKey }: Ground, base: string): Promise<void> {
  const pool = new Pool(base, { connections: 16 })
  started.add('the connections of the events', () => pool.destroy())
  const body = JSON.stringify({ data: { type: 'item', attributes: { claims } } })
  const headers = { 'content-type': 'application/vnd.api+json', authorization: `Bearer ${apiKey}` }
  const submitOne = async () => {
    const answer = await pool.request({ path: '/api/json/items', method: 'POST', headers, body })
    await answer.body.dump()
    if (answer.statusCode !== 201) throw new Error(`An item was answered with ${answer.statusCode}.`)
  }
  const sent: Promise<unknown>[] = []
  const began = performance.now()
  for (let n = 0; n < EVENTS_PER_SECOND * SECONDS; n += 1) {
    const due = began + (n * 1_000) / EVENTS_PER_SECOND
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, due - performance.now())))
    const one = submitOne()
    one.catch(() => undefined)
    sent.push(one)
  }
  await Promise.all(sent)
  await pool.close()
}
