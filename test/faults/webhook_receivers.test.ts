// Receivers that answer badly, late, endlessly or not at all. Each delivery ends in the correct state.

import type { AddressInfo } from 'node:net'
import { createServer, type Server } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import type { WebhookDelivery } from '../../server/domain/webhooks/deliveries/delivery.ts'
import { makeAuthority } from '../support/certificate.ts'
import { forgetWebhooks } from '../support/forget_webhooks.ts'
import { openReceiver, TEST_AUTHORITY, TEST_NAMES } from '../support/receiver.ts'
import { slowness } from '../support/slowness.ts'
import { openTestWebhooks, type TestWebhooks } from '../support/webhooks.ts'
import { ROWS, type Row, SLOW_ROWS } from './webhook_answers.ts'

/** Milliseconds of this thread's CPU time for an attempt, including the receiver's share. */
const MOST_CPU_MS = 500

interface Ended {
  /** By place and name of the row. */
  readonly deliveries: ReadonlyMap<string, WebhookDelivery>
  readonly cpuMs: number
  /** The paths of the requests. */
  readonly asked: readonly string[]
}

const open = (): Promise<TestWebhooks> => openTestWebhooks({ resolve: async () => ['127.0.0.1'] })

/**
 * One endpoint per row, `side` of them side by side. More handshakes at once would take longer than a connection may
 * on a busy machine, but those that take their time must overlap.
 */
async function deliverAll(rows: readonly Row[], side: number): Promise<Ended> {
  const [webhooks, receiver] = await Promise.all([open(), openReceiver()])
  receiver.respond((response, heard, socket) =>
    rows[Number(heard.path.slice(1))]?.respond(response, heard, socket),
  )
  const endpoints = new Map<string, string>()
  for (const [n, { name }] of rows.entries()) {
    const url = receiver.url('127.0.0.1', `/${n}`)
    const { id } = await webhooks.endpoint({ url, events: ['item.created'] })
    endpoints.set(id, `${n} ${name}`)
  }
  await webhooks.ledger.submit({})
  await webhooks.fanOutAll()
  const before = process.threadCpuUsage()
  await webhooks.deliverDue({}, side)
  const { user, system } = process.threadCpuUsage(before)
  const deliveries = await webhooks.deliveries()
  await Promise.all([webhooks.close(), receiver.close()])
  return {
    deliveries: new Map(deliveries.map((delivery) => [endpoints.get(delivery.endpointId) ?? '', delivery])),
    cpuMs: (user + system) / 1_000,
    asked: receiver.heard.map(({ path }) => path),
  }
}

let atOnce: Promise<Ended>
let slowly: Promise<Ended>
beforeAll(async () => {
  atOnce = deliverAll(ROWS, 4)
  await atOnce
  // Takes its time while the other tests run.
  slowly = deliverAll(SLOW_ROWS, 12)
  slowly.catch(() => undefined)
})

describe('a connection that', () => {
  const servers: { close: () => unknown }[] = []
  let webhooks: TestWebhooks
  beforeAll(async () => {
    webhooks = await open()
  })
  afterEach(async () => {
    await forgetWebhooks(webhooks)
  })
  afterAll(async () => {
    await webhooks.close()
    for (const server of servers) server.close()
  })
  const stranger = makeAuthority('A stranger')

  it('cannot be made, or is not who it should be, is tried again', async () => {
    const silent: Server = createServer(() => undefined)
    await new Promise<void>((resolve) => void silent.listen(0, '127.0.0.1', resolve))
    const expired = await openReceiver({
      certificate: TEST_AUTHORITY.issue(TEST_NAMES, { from: -9, to: -1 }),
    })
    const early = await openReceiver({ certificate: TEST_AUTHORITY.issue(TEST_NAMES, { from: 2, to: 9 }) })
    const other = await openReceiver({ certificate: TEST_AUTHORITY.issue(['other.example.com']) })
    const foreign = await openReceiver({ certificate: stranger.issue(TEST_NAMES) })
    const closed = await openReceiver()
    await closed.close()
    servers.push(silent, expired, early, other, foreign)
    const expected = new Map<string, unknown>()
    for (const [url, error] of [
      [closed.url(), 'connection refused'],
      [`https://127.0.0.1:${(silent.address() as AddressInfo).port}/`, 'no connection within 5 s'],
      [expired.url(), 'the certificate has expired'],
      [early.url(), 'the certificate is not valid yet'],
      [other.url('hooks.example.com'), 'the certificate is for another host'],
      [other.url(), 'the certificate is for another host'],
      [foreign.url(), expect.stringMatching(/^the certificate /)],
    ] as const)
      expected.set((await webhooks.endpoint({ url, events: ['item.created'] })).id, error)
    await webhooks.ledger.submit({})
    await webhooks.fanOutAll()
    await webhooks.deliverDue()
    for (const { endpointId, ...delivery } of await webhooks.deliveries())
      expect(delivery).toMatchObject({
        status: 'pending',
        httpStatus: null,
        attempts: 1,
        error: expected.get(endpointId),
      })
    for (const one of [expired, early, other, foreign]) expect(one.heard).toEqual([])
  })

  it('is with a stranger is refused, whatever the environment says of certificates', async () => {
    const foreign = await openReceiver({ certificate: stranger.issue(TEST_NAMES) })
    servers.push(foreign)
    const { id } = await webhooks.endpoint({ url: foreign.url(), events: ['item.created'] })
    await webhooks.ledger.submit({})
    await webhooks.fanOutAll()
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0')
    try {
      await webhooks.deliverDue()
    } finally {
      vi.unstubAllEnvs()
    }
    expect(foreign.heard).toEqual([])
    expect(await webhooks.deliveries(id)).toMatchObject([{ status: 'pending', httpStatus: null }])
  })
})

describe.each([
  ['at once', ROWS, () => atOnce],
  ['slowly', SLOW_ROWS, () => slowly],
] as const)('a receiver that, %s,', (_, rows, ending) => {
  let ended: Ended
  beforeAll(async () => {
    ended = await ending()
  })

  it.each(rows.map((row, n) => ({ ...row, n })))('$name', ({ name, expected, wait, n }) => {
    const delivery = ended.deliveries.get(`${n} ${name}`)
    expect(delivery).toMatchObject({ attempts: 1, ...expected })
    expect(delivery?.attemptLog).toMatchObject([
      {
        number: 1,
        resolved_addresses: ['127.0.0.1'],
        address: '127.0.0.1',
        http_status: expected.httpStatus,
      },
    ])
    if (wait === undefined) return
    const waits = (Number(delivery?.nextAttemptAt) - Number(delivery?.updatedAt)) / 1_000
    expect(waits).toBeGreaterThanOrEqual(wait[0])
    expect(waits).toBeLessThanOrEqual(wait[1])
  })

  it('costs little', () => {
    expect(ended.cpuMs / rows.length / slowness()).toBeLessThan(MOST_CPU_MS)
  })

  it('is asked once each, and no redirect is followed', () => {
    expect(ended.asked.toSorted()).toEqual(rows.map((_row, n) => `/${n}`).toSorted())
  })
})
