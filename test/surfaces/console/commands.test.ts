import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createAccount } from '../../../server/domain/accounts/account_door.ts'
import { createApiKey } from '../../../server/domain/accounts/api_key.ts'
import { newUuid7 } from '../../../server/kernel/identifiers.ts'
import { rows } from '../../support/rows.ts'
import { testLedger } from '../../support/test_ledger.ts'
import { type ConsoleClient, connect, eventually } from './console_client.ts'
import { type ConsoleServer, startConsoleServer } from './console_server.ts'

const ledger = testLedger()
let server: ConsoleServer
let token: string
let client: ConsoleClient

beforeAll(async () => {
  server = await startConsoleServer(ledger)
  token = (await createApiKey(ledger.store.em(), { userId: ledger.userId, name: 'test' })).secret
})
afterAll(() => server.close())
beforeEach(async () => {
  client = await connect(server.url, token)
})
afterEach(() => {
  client.socket.disconnect()
})

const refused = (code: string) => ({ ok: false, code, message: expect.any(String) })

describe('subscribe', () => {
  it('answers the head for beacons and plain ok for the other streams, twice over', async () => {
    expect(await client.ask('subscribe', { stream: 'beacons' })).toEqual({
      ok: true,
      head: server.feed.head().beacon,
    })
    for (const stream of ['blocks', 'items', 'entropy', 'items'])
      expect(await client.ask('subscribe', { stream })).toEqual({ ok: true })
  })

  it('takes the head itself as `after`, in upper case too', async () => {
    const after = server.feed.head().beacon.id.toUpperCase()
    expect(await client.ask('subscribe', { stream: 'beacons', after })).toMatchObject({ ok: true })
  })

  it('refuses what is no stream', async () => {
    for (const stream of ['nonsense', '', 'toString', '__proto__'])
      expect(await client.ask('subscribe', { stream }), stream).toEqual(refused('unknown_stream'))
    for (const stream of [undefined, null, 7, {}, ['beacons']])
      expect(await client.ask('subscribe', { stream })).toEqual(refused('invalid_argument'))
  })

  it('refuses an `after` that is unknown or malformed, or on a stream that does not resume', async () => {
    expect(await client.ask('subscribe', { stream: 'beacons', after: newUuid7() })).toEqual({
      ...refused('unknown_beacon'),
      head: server.feed.head().beacon,
    })
    for (const after of ['', 'x', null, 7, '\0', newUuid7().replace(/^(.{14})7/, '$14'), 'x'.repeat(10_000)])
      expect(await client.ask('subscribe', { stream: 'beacons', after })).toEqual(refused('invalid_argument'))
    expect(await client.ask('subscribe', { stream: 'items', after: newUuid7() })).toEqual(
      refused('invalid_argument'),
    )
  })

  it('keeps the subscription that there is when a new one is refused', async () => {
    await client.ask('subscribe', { stream: 'beacons' })
    await client.ask('subscribe', { stream: 'beacons', after: newUuid7() })
    await ledger.finalize()
    await eventually(() => client.beacons().length).toBe(1)
  })
})

describe('unsubscribe', () => {
  it('ends a stream, and is no error where there is none', async () => {
    for (const stream of ['beacons', 'blocks', 'items', 'entropy', 'commitments', 'webhook_deliveries']) {
      expect(await client.ask('unsubscribe', { stream })).toEqual({ ok: true })
      await client.ask('subscribe', { stream })
      expect(await client.ask('unsubscribe', { stream })).toEqual({ ok: true })
    }
    const witness = await connect(server.url, token)
    await witness.ask('subscribe', { stream: 'beacons' })
    await witness.ask('subscribe', { stream: 'blocks' })
    await ledger.submit({})
    const made = await ledger.finalize()
    // What was finalized just before may be told as well: a reader that is held up begins a little early.
    const told = () => witness.of('block.finalized').map(({ data }) => (data as { id: string }).id)
    await eventually(() => 'id' in made && told().includes(made.id)).toBe(true)
    expect(client.told.map(({ event }) => event)).toEqual(['welcome'])
    witness.socket.disconnect()
  })

  it('refuses what is no stream', async () => {
    expect(await client.ask('unsubscribe', { stream: 'x' })).toEqual(refused('unknown_stream'))
    expect(await client.ask('unsubscribe', {})).toEqual(refused('invalid_argument'))
  })
})

describe('switch_team', () => {
  it('answers the team, and the items of the new team come from then on, the old ones no more', async () => {
    const { teamId } = await createAccount(ledger.store.em(), {
      email: `${newUuid7()}@example.com`,
      firstName: 'Eve',
      plan: 'free',
    })
    await rows(
      ledger.store.em(),
      `INSERT INTO memberships (id, team_id, user_id, role) VALUES ($1, $2, $3, 'viewer')`,
      [newUuid7(), teamId, ledger.userId],
    )
    await client.ask('subscribe', { stream: 'items' })
    await client.ask('subscribe', { stream: 'blocks' })
    expect(await client.ask('switch_team', { tenant: teamId })).toEqual({
      ok: true,
      team: { id: teamId, name: 'Eve', role: 'viewer' },
    })
    await ledger.submit({ visibility: 'public' })
    const [item] = await ledger.submit({ visibility: 'team', teamId })
    await ledger.finalize()
    await eventually(() => client.of('item.committed').length).toBe(1)
    const told = client.told
      .filter(({ event }) => event.startsWith('item.'))
      .map(({ body }) => (body as { data: { id: string } }).data.id)
    expect(told).toEqual([item?.id, item?.id])
    expect(client.of('block.finalized')).toHaveLength(1)
  })

  it('refuses a team of others and junk, and the session stays with its team', async () => {
    const { teamId } = await createAccount(ledger.store.em(), {
      email: `${newUuid7()}@example.com`,
      firstName: 'Mallory',
      plan: 'free',
    })
    for (const tenant of [teamId, newUuid7(), 'x', '\0', 7, null])
      expect(await client.ask('switch_team', { tenant })).toEqual(refused('forbidden_tenant'))
    expect(await client.ask('switch_team', {})).toEqual(refused('invalid_argument'))
    await client.ask('subscribe', { stream: 'items' })
    await ledger.submit({})
    server.stream.facts.poke()
    await eventually(() => client.of('item.created').length).toBe(1)
  })
})

describe('junk', () => {
  it('is answered, and never ends the connection or the process', async () => {
    for (const name of ['subscribe', 'unsubscribe', 'switch_team', 'token.refresh'])
      for (const input of [[], [null], [7], ['beacons'], [[]], [{}, {}], [Buffer.from('x')]])
        expect(await client.ask(name, ...input), name).toEqual(refused('invalid_argument'))
    client.socket.disconnect()
    client = await connect(server.url, token)
    for (const name of ['nonsense', 'toString', 'error', '__proto__', 'welcome', 'disconnect_'])
      expect(await client.ask(name, {}), name).toEqual(refused('invalid_argument'))
    for (const name of ['subscribe', 'unsubscribe', 'switch_team', 'token.refresh', 'nonsense']) {
      client.socket.emit(name, { stream: 'blocks', tenant: 1, token: 'x' })
      client.socket.emit(name)
      client.socket.emit(name, () => undefined, {})
    }
    expect(await client.ask('unsubscribe', { stream: 'beacons' })).toEqual({ ok: true })
    expect(client.socket.connected).toBe(true)
    expect(server.lines.filter(({ level }) => level === 50)).toEqual([])
  })
})
