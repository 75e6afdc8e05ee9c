// `pharos listen`: what a push endpoint would be sent arrives at a receiver on this computer, whole, in order, and after
// whatever befalls the service, the command, the receiver and the computer.
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { Webhook } from 'standardwebhooks'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { openTestApp, type TestApp } from '../support/app.ts'
import { freePort } from '../support/free_port.ts'
import { ask, eventually } from '../support/http.ts'
import { claimsOf } from '../support/ledger.ts'
import { expectMembers } from './frame/json_members.ts'
import { type HeardEvent, type LocalReceiver, localReceiver } from './local_receiver.ts'
import { type Desk, openDesk } from './run_pharos.ts'
import { type RunningPharos, runningPharos } from './running_pharos.ts'

let app: TestApp
/** The service that answers now. */
let serving: TestApp
let desk: Desk
let receiver: LocalReceiver
const running: RunningPharos[] = []
beforeAll(async () => {
  app = await openTestApp({ port: await freePort() })
  serving = app
})
beforeEach(async () => {
  ;[desk, receiver] = await Promise.all([openDesk(), localReceiver()])
})
afterEach(async () => {
  for (const one of running.splice(0)) {
    one.kill('SIGKILL')
    await one.ended
  }
  await receiver.down()
  await desk.clear()
  await app.query('DELETE FROM webhook_endpoints')
  await app.query('DELETE FROM webhook_deliveries')
})
afterAll(async () => {
  await away()
  await app.close()
})

async function away(): Promise<void> {
  await serving.stop()
  if (serving !== app) await serving.store.close()
}
async function back(): Promise<void> {
  serving = await openTestApp({ beside: app, port: app.port })
}

const env = () => ({ PHAROS_URL: `http://127.0.0.1:${app.port}`, PHAROS_API_KEY: app.owner.key })
const pharos = (...args: string[]) => desk.pharos(args, { env: env() })
const listen = (...args: string[]): Promise<RunningPharos> => listenAt(desk, receiver, ...args)
async function listenAt(at: Desk, to: LocalReceiver, ...args: string[]): Promise<RunningPharos> {
  const started = runningPharos(at, ['listen', '--forward-to', to.url, ...args], env())
  running.push(started)
  await started.notedOnce(/^Ready\./m)
  return started
}
async function submit(name: string): Promise<string> {
  const answer = await ask(app.port, '/api/json/items', {
    key: app.owner.key,
    body: { json: { data: { type: 'item', attributes: { claims: claimsOf(name) } } } },
  })
  expect(answer.status, answer.text).toBe(201)
  return (answer.json() as { data: { id: string } }).data.id
}
const submitAll = async (...names: string[]): Promise<string[]> => {
  const ids: string[] = []
  for (const name of names) ids.push(await submit(name))
  return ids
}
const itemOf = ({ body }: HeardEvent): string => (JSON.parse(body) as { data: { id: string } }).data.id
const nameOf = ({ headers }: HeardEvent): string => String(headers['x-pharos-event'])
/** What arrives may arrive twice, and then with the same id. Each once, in the order of its first arrival. */
const distinct = (heard: readonly HeardEvent[]): HeardEvent[] =>
  [...new Map([...heard].reverse().map((one) => [one.headers['webhook-id'], one])).values()].reverse()
const endpoints = () =>
  app.query<{ id: string; events: string[]; kind: string; signing: string }>(
    'SELECT id, events, kind, signing FROM webhook_endpoints',
  )
const deliveries = () =>
  app.query<{ id: string; status: string; payload: string; message_id: string }>(
    'SELECT id, status, payload, message_id FROM webhook_deliveries ORDER BY id',
  )
/** The items of the events in the order in which the service gives them. */
const served = async (): Promise<string[]> =>
  (
    await app.query<{ id: string }>(
      'SELECT resource_id AS id FROM webhook_deliveries ORDER BY pull_xid, webhook_deliveries.id',
    )
  ).map(({ id }) => id)
const CREATED = ['--events', 'item.created']

describe('pharos listen', { timeout: 300_000 }, () => {
  it('forwards the bytes and the headers of a webhook, signed by the secret that it prints', async () => {
    const printed = await pharos('listen', '--print-secret', ...CREATED)
    expect(printed).toMatchObject({ code: 0, out: expect.stringMatching(/^whsec_\S+\n$/) })
    await receiver.up()
    const listening = await listen(...CREATED)
    const id = await submit('one')
    const [heard = expect.fail()] = await receiver.heardOnce(1)
    expect(itemOf(heard)).toBe(id)
    const [delivery = expect.fail()] = await deliveries()
    expect(heard.body).toBe(delivery.payload)
    expect(heard.headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': 'pharos-Webhook/1.0',
      'webhook-id': delivery.message_id,
      'x-pharos-event': 'item.created',
      'x-pharos-delivery': delivery.id,
    })
    const headers = Object.fromEntries(
      Object.entries(heard.headers).map(([name, value]) => [name, String(value)]),
    )
    expect(new Webhook(printed.out.trim()).verify(heard.body, headers)).toMatchObject({
      type: 'item.created',
    })
    expect(
      heard.rawHeaders
        .filter((_, at) => at % 2 === 0)
        .map((name) => name.toLowerCase())
        .sort(),
    ).toEqual([
      ...[
        'connection',
        'content-length',
        'content-type',
        'host',
        'user-agent',
        'webhook-id',
        'webhook-signature',
      ],
      ...['webhook-timestamp', 'x-pharos-delivery', 'x-pharos-event', 'x-pharos-timestamp'],
    ])
    expect(await listening.linesOnce(1)).toEqual([
      expect.stringMatching(/item\.created {2}\S+ {2}200 {2}\d+ ms$/),
    ])
    expect(`${listening.lines()}${listening.noted()}`).not.toContain('whsec_')
    // Another secret beside the first, which still counts.
    const another = await pharos('listen', '--print-secret', ...CREATED)
    await submit('two')
    const [, second = expect.fail()] = await receiver.heardOnce(2)
    const next = Object.fromEntries(
      Object.entries(second.headers).map(([name, value]) => [name, String(value)]),
    )
    for (const secret of [printed.out, another.out])
      expect(new Webhook(secret.trim()).verify(second.body, next)).toBeDefined()
  })

  it('makes one endpoint, and finds it again; its events become more, and each listener hears its own', async () => {
    await receiver.up()
    const first = await listen(...CREATED)
    const [made, ...others] = await endpoints()
    expect([made, others]).toMatchObject([{ kind: 'pull', signing: 'v1', events: ['item.created'] }, []])
    first.kill('SIGKILL')
    await first.ended
    const second = await listen('--events', 'item.redacted,item.created')
    expect(await endpoints()).toEqual([{ ...made, events: ['item.created', 'item.redacted'] }])
    second.kill('SIGKILL')
    await second.ended
    await listen('--events', 'item.redacted')
    const id = await submit('one')
    const patch = { data: { type: 'item', id, attributes: { redacted: true } } }
    await ask(app.port, `/api/json/items/${id}`, {
      method: 'PATCH',
      key: app.owner.key,
      body: { json: patch },
    })
    await receiver.heardOnce(1)
    expect(receiver.heard.map(nameOf)).toEqual(['item.redacted'])
    expect(await endpoints()).toHaveLength(1)
  })

  it.each([
    ['in one folder', async () => desk],
    ['on two computers of one name', () => openDesk()],
  ])('makes one endpoint where two begin at the same time %s, and each misses nothing', async (_, open) => {
    const [otherDesk, otherReceiver] = await Promise.all([open(), localReceiver()])
    onTestFinished(async () => {
      await otherReceiver.down()
      await otherDesk.clear()
    })
    await Promise.all([receiver.up(), otherReceiver.up()])
    const both = () =>
      Promise.all([listen(...CREATED), listenAt(otherDesk, otherReceiver, '--events', 'item.redacted')])
    for (const one of await both()) {
      one.kill('SIGKILL')
      await one.ended
    }
    const [{ events } = expect.fail(), ...others] = await endpoints()
    expect([events.toSorted(), others]).toEqual([['item.created', 'item.redacted'], []])
    const id = await submit('while nobody listens')
    const patch = { data: { type: 'item', id, attributes: { redacted: true } } }
    const body = { json: patch }
    await ask(app.port, `/api/json/items/${id}`, { method: 'PATCH', key: app.owner.key, body })
    await both()
    for (const [one, name] of [
      [receiver, 'item.created'],
      [otherReceiver, 'item.redacted'],
    ] as const)
      expect((await one.heardOnce(1)).map((heard) => [nameOf(heard), itemOf(heard)])).toEqual([[name, id]])
  })

  it('misses nothing while it is killed again and again, and begins where it was', async () => {
    await receiver.up()
    const ids: string[] = []
    for (let round = 0; round < 5; round += 1) {
      ids.push(await submit(`before ${round}`))
      const listening = await listen(...CREATED)
      ids.push(...(await submitAll(`a ${round}`, `b ${round}`, `c ${round}`)))
      // In the middle of the events, or before they come, or when all have come.
      if (round % 2 === 0) await receiver.heardOnce(ids.length - 2)
      listening.kill('SIGKILL')
      await listening.ended
    }
    // The first was made before there was an endpoint.
    ids.shift()
    await listen(...CREATED)
    await eventually(() => (distinct(receiver.heard).length >= ids.length ? true : undefined), 120_000)
    const heard = distinct(receiver.heard).map(itemOf)
    expect(heard).toEqual(await served())
    expect(heard.toSorted()).toEqual(ids.toSorted())
    // What was remembered does not come again: at most the last ones do.
    const last = [await submit('last')]
    await eventually(
      () => (receiver.heard.some((one) => itemOf(one) === last[0]) ? true : undefined),
      120_000,
    )
    running.at(-1)?.kill('SIGKILL')
    const before = receiver.heard.length
    await listen(...CREATED)
    last.push(await submit('very last'))
    await eventually(
      () => (receiver.heard.some((one) => itemOf(one) === last[1]) ? true : undefined),
      120_000,
    )
    for (const one of receiver.heard.slice(before)) expect(last).toContain(itemOf(one))
  })

  it('keeps the order while the receiver is down or asks for a pause, and takes every other answer', async () => {
    const listening = await listen(...CREATED)
    await submitAll('one', 'two', 'three')
    await listening.notedOnce(/The receiver/)
    await submitAll('four', 'five')
    receiver.answers = [200, 503, 429, 500, 404]
    await receiver.up()
    await receiver.heardOnce(7)
    const ids = await served()
    expect(receiver.heard.map(itemOf)).toEqual([ids[0], ids[1], ids[1], ids[1], ids[2], ids[3], ids[4]])
    await listening.notedOnce(/The receiver is back/)
    const statuses = (await listening.linesOnce(5)).map((line) => /(\d{3}) {2}\d+ ms$/.exec(line)?.[1])
    expect(statuses).toEqual(['200', '500', '404', '200', '200'])
  })

  it('signs anew what arrives late, so that a receiver does not take it for a repetition of somebody else', async () => {
    const { out: secret } = await pharos('listen', '--print-secret', ...CREATED)
    const listening = await listen(...CREATED)
    await submit('one')
    await listening.notedOnce(/The receiver/)
    const downUntil = Math.floor(Date.now() / 1_000)
    // One second more than is asked below: what was signed a moment ago may be on its way.
    await eventually(() => (Date.now() / 1_000 > downUntil + 2 ? true : undefined))
    await receiver.up()
    const [{ headers, body } = expect.fail()] = await receiver.heardOnce(1)
    expect(Number(headers['webhook-timestamp'])).toBeGreaterThan(downUntil)
    const named = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))
    expect(new Webhook(secret.trim()).verify(body, named)).toBeDefined()
  })

  it('hears what happened while the computer slept and the service was started anew, and what is sent again', async () => {
    await receiver.up()
    const listening = await listen(...CREATED)
    const ids = [await submit('awake')]
    await receiver.heardOnce(1)
    listening.kill('SIGSTOP')
    // Its request is answered to nobody, and what it waits for is gone.
    ids.push(...(await submitAll('asleep', 'still asleep')))
    await away()
    await back()
    ids.push(await submit('another service'))
    listening.kill('SIGCONT')
    await eventually(() => (distinct(receiver.heard).length === 4 ? true : undefined), 120_000)
    expect(distinct(receiver.heard).map(itemOf)).toEqual(await served())
    expect((await served()).toSorted()).toEqual(ids.toSorted())
    const before = receiver.heard.length
    const [{ id, message_id } = expect.fail()] = await deliveries()
    expect(await pharos('api', 'POST', `webhook-deliveries/${id}/redeliver`)).toMatchObject({ code: 0 })
    const heard = await receiver.heardOnce(before + 1)
    expect(heard.at(-1)?.headers['webhook-id']).toBe(message_id)
  })

  it('keeps one answer in memory, however much waits and however long the receiver is away', async () => {
    const made = await listen(...CREATED)
    const [{ id } = expect.fail()] = await endpoints()
    made.kill('SIGKILL')
    await made.ended
    await app.query(WAITING, [id, app.owner.userId, MANY, LARGE])
    // Far less than all of them have.
    const small = { ...env(), NODE_OPTIONS: '--max-old-space-size=24' }
    const listening = runningPharos(desk, ['listen', '--forward-to', receiver.url, ...CREATED], small)
    running.push(listening)
    await listening.notedOnce(/The receiver/)
    let bytes = 0
    receiver.onEvent = ({ body }) => {
      bytes += body.length
    }
    await receiver.up()
    await receiver.heardOnce(MANY)
    expect(bytes).toBeGreaterThan(MANY * LARGE)
    expect(listening.noted()).toContain('The receiver is back')
  })

  it('begins with what happens from now on for a new receiver, or with what happened since a time', async () => {
    await receiver.up()
    const listening = await listen(...CREATED)
    const ids = await submitAll('one', 'two')
    await receiver.heardOnce(2)
    listening.kill('SIGKILL')
    await listening.ended
    ids.push(await submit('three'))
    await eventually(async () => ((await deliveries()).length === 3 ? true : undefined))
    const another = await localReceiver()
    await another.up()
    const fresh = runningPharos(desk, ['listen', '--forward-to', another.url, ...CREATED], env())
    running.push(fresh)
    await fresh.notedOnce(/Ready/)
    ids.push(await submit('four'))
    expect((await another.heardOnce(1)).map(itemOf)).toEqual(ids.slice(3))
    fresh.kill('SIGKILL')
    await fresh.ended
    const since = runningPharos(desk, ['listen', '--forward-to', another.url, '--since', '1 hour ago'], env())
    running.push(since)
    expect((await another.heardOnce(5)).slice(1).map(itemOf).toSorted()).toEqual(ids)
    await another.down()
    // The first receiver has a place of its own. What it had heard may come once more, because the command was killed.
    await listen(...CREATED)
    await eventually(() => (distinct(receiver.heard).length === 4 ? true : undefined), 120_000)
    expect(distinct(receiver.heard).map(itemOf).toSorted()).toEqual(ids)
  })

  it('is ready only when the service has said so', async () => {
    await receiver.up()
    await away()
    const early = runningPharos(desk, ['listen', '--forward-to', receiver.url, '--json'], env())
    running.push(early)
    expect(await early.ended).toBe(2)
    expect([early.lines(), early.noted()]).toEqual([[], expect.stringContaining('cannot be reached')])
    await back()
    const ready = runningPharos(desk, ['listen', '--forward-to', receiver.url, '--json'], env())
    running.push(ready)
    const [line = ''] = await ready.linesOnce(1)
    const [{ id } = expect.fail()] = await endpoints()
    expect(JSON.parse(line)).toEqual({ type: 'ready', endpoint_id: id, forward_to: receiver.url })
    const itemId = await submit('one')
    const [, forwarded = ''] = await ready.linesOnce(2)
    expect(JSON.parse(forwarded)).toMatchObject({ type: 'forwarded', event: 'item.created', status: 200 })
    expect(receiver.heard.map(itemOf)).toEqual([itemId])
    expectMembers('listen ready', JSON.parse(line))
    expectMembers('listen forwarded', JSON.parse(forwarded))
    ready.kill('SIGINT')
    expect(await ready.ended).toBe(130)
    // One file, which only its owner reads, and no secret in it.
    expect(await readdir(join(desk.folder, 'config', 'pharos', 'listen'))).toHaveLength(1)
  })

  it('says what is wrong: no receiver, no event, an endpoint that is switched off', async () => {
    for (const args of [
      [],
      ['--forward-to', 'ftp://x'],
      ['--forward-to', receiver.url, '--events', 'item.burnt'],
      ['--forward-to', receiver.url, 'x'],
    ])
      expect(await pharos('listen', ...args), args.join(' ')).toMatchObject({ code: 2, out: '' })
    const listening = await listen(...CREATED)
    const [{ id } = expect.fail()] = await endpoints()
    const attributes = { enabled: false }
    const body = { json: { data: { type: 'webhook_endpoint', id, attributes } } }
    await ask(app.port, `/api/json/webhook-endpoints/${id}`, { method: 'PATCH', key: app.owner.key, body })
    // What comes ends the wait of its request, which would be half a minute.
    await app.query(WAITING, [id, app.owner.userId, 1, 1])
    expect(await listening.ended).toBe(1)
    const off = await pharos('listen', '--forward-to', receiver.url)
    expect(off).toMatchObject({
      code: 1,
      err: expect.stringMatching(/switched off[\s\S]*api PATCH webhook-endpoints/),
    })
    const [advice = ''] = /api PATCH .*/.exec(off.err) ?? []
    expect(await pharos(...advice.replaceAll("'", '').split(' '))).toMatchObject({ code: 0 })
    await listen(...CREATED)
  })
})

const [MANY, LARGE] = [2_200, 15_000]

/** Deliveries of one transaction that wait to be read. */
const WAITING = `
  INSERT INTO webhook_deliveries (id, user_id, endpoint_id, event_type, resource_type, resource_id, message_id, creator_id,
                                  team_id, visibility, status, pull_xid, payload)
  SELECT gen_random_uuid()::text, $2, $1, 'item.created', 'item', 'item ' || n, 'msg ' || gen_random_uuid(), $2, 'team',
         'private', 'pending', pg_current_xact_id(), '{"data":"' || repeat('x', $4::int) || '"}'
    FROM generate_series(1, $3::int) AS n`

describe('pharos trigger', { timeout: 300_000 }, () => {
  it('sends a sample to who listens on this computer, and says so when nobody does', async () => {
    expect(await pharos('trigger', 'item.created')).toMatchObject({
      code: 1,
      err: expect.stringContaining('listen'),
    })
    await receiver.up()
    await listen(...CREATED)
    const sent = await pharos('trigger', 'item.created', '--json')
    expect(sent.code, sent.err).toBe(0)
    const [heard = expect.fail()] = await receiver.heardOnce(1)
    expectMembers('trigger', JSON.parse(sent.out))
    expect(JSON.parse(sent.out)).toMatchObject({
      type: 'webhook_delivery',
      id: heard.headers['x-pharos-delivery'],
    })
    expect(JSON.parse(heard.body)).toMatchObject({ type: 'item.created', data: { test: true } })
    expect(await pharos('trigger', 'item.burnt')).toMatchObject({
      code: 2,
      err: expect.stringContaining('item.created'),
    })
  })
})
