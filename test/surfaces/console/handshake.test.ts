import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createAccount } from '../../../server/domain/accounts/account_door.ts'
import { createApiKey } from '../../../server/domain/accounts/api_key.ts'
import type { Scope } from '../../../server/domain/accounts/scope.ts'
import { openStore } from '../../../server/store/open_store.ts'
import { rows } from '../../support/rows.ts'
import { testLedger } from '../../support/test_ledger.ts'
import { connect, eventually, refusedHandshake } from './console_client.ts'
import { type ConsoleServer, startConsoleServer } from './console_server.ts'
import { openRaw } from './raw_websocket.ts'

const ledger = testLedger()
let server: ConsoleServer
let token: string
let keyId: string

beforeAll(async () => {
  server = await startConsoleServer(ledger)
  const key = await createApiKey(ledger.store.em(), { userId: ledger.userId, name: 'test' })
  token = key.secret
  keyId = key.id
})
afterAll(() => server.close())

const UNAUTHORIZED = { status: 401, code: 'unauthorized' }
const FORBIDDEN = { status: 403, code: 'forbidden_tenant' }

describe('welcome', () => {
  for (const transport of ['websocket', 'polling'])
    it(`says who, where and what there is, over ${transport}`, async () => {
      const { welcome, socket } = await connect(server.url, token, { transports: [transport] })
      expect(welcome).toEqual({
        user: { id: ledger.userId, full_name: 'Ada' },
        team: { id: ledger.teamId, name: 'Ada', role: 'owner' },
        plan: 'enterprise',
        streams: [
          { name: 'beacons', title: 'Beacons', events: ['beacon.created', 'chain.replaced'] },
          { name: 'blocks', title: 'Blocks', events: ['block.finalized', 'block.committed'] },
          {
            name: 'items',
            title: 'Items',
            events: ['item.created', 'item.committed', 'item.redacted', 'item.unredacted', 'item.deleted'],
          },
          { name: 'entropy', title: 'Entropy', events: ['entropy.created'] },
          {
            name: 'commitments',
            title: 'Commitments',
            events: ['commitment.submitted', 'commitment.confirmed', 'commitment.failed'],
          },
          {
            name: 'webhook_deliveries',
            title: 'Webhook deliveries',
            events: ['delivery.created', 'delivery.updated'],
          },
        ],
        head: server.feed.head().beacon,
        server_time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        limits: expect.objectContaining({
          commands: 60,
          commands_window_ms: 10_000,
          payload_bytes: 16_384,
          frame_bytes: 65_536,
          unsent_bytes: 1_048_576,
        }),
      })
      expect(Object.keys(welcome.head)).toEqual(['id', 'hash', 'timestamp', 'previous_hash'])
      expect(Math.abs(Date.parse(welcome.server_time) - Date.now())).toBeLessThan(10_000)
      socket.disconnect()
    })

  it('speaks for the team that was asked for, in either case of its id', async () => {
    const { welcome, socket } = await connect(server.url, token, { tenant: ledger.teamId.toUpperCase() })
    expect(welcome.team.id).toBe(ledger.teamId)
    socket.disconnect()
  })
})

describe('a handshake is refused', () => {
  const badTokens: [string, object][] = [
    ['nothing at all', {}],
    ['an empty token', { token: '' }],
    ['a token that is no text', { token: { $ne: null } }],
    ['a token that is a list', { token: ['phk_'] }],
    ['a malformed token', { token: 'phk_nonsense' }],
    ['a token with U+0000', { token: 'phk_\0' }],
    ['an endless token', { token: 'x'.repeat(50_000) }],
    ['a well-formed token of nobody', { token: 'phk_0000000000000000000000000000000000000000000000000' }],
  ]
  for (const [what, auth] of badTokens)
    it(`with 401 for ${what}`, async () => {
      expect(await refusedHandshake(server.url, { auth })).toEqual(UNAUTHORIZED)
    })

  it('with 401 for a revoked and for an expired key', async () => {
    const em = ledger.store.em()
    const revoked = await createApiKey(em, { userId: ledger.userId, name: 'revoked' })
    await rows(em, 'UPDATE api_keys SET revoked_at = pharos_now() WHERE id = $1', [revoked.id])
    const expiresAt = new Date(Date.now() - 1_000)
    const expired = await createApiKey(em, { userId: ledger.userId, name: 'expired', expiresAt })
    for (const { secret } of [revoked, expired])
      expect(await refusedHandshake(server.url, { auth: { token: secret } })).toEqual(UNAUTHORIZED)
  })

  it('with 403 for a tenant that is another team, no team, no id, or no text', async () => {
    const other = await createAccount(ledger.store.em(), {
      email: 'bob@example.com',
      firstName: 'Bob',
      plan: 'free',
    })
    const unknown = '01a2ce8e-9320-7630-bb7f-73edc8868b1d'
    for (const tenant of [other.teamId, unknown, 'mine', '', '\0', 7, null, [ledger.teamId]])
      expect(await refusedHandshake(server.url, { auth: { token, tenant } }), String(tenant)).toEqual(
        FORBIDDEN,
      )
  })

  it('with 403 for a credential that may not read, which no session takes either', async () => {
    const scoped = await startConsoleServer(ledger, {
      // A token is what it may do.
      authenticate: async (scope) => ({
        userId: ledger.userId,
        fullName: 'Ada',
        plan: 'enterprise',
        credential: { kind: 'api_key', id: 'none', expiresAt: null },
        scopes: new Set([scope as Scope]),
      }),
    })
    const lacks = { status: 403, code: 'insufficient_scope' }
    expect(await refusedHandshake(scoped.url, { auth: { token: 'api:write' } })).toEqual(lacks)
    const client = await connect(scoped.url, 'api:read')
    expect(await client.ask('token.refresh', { token: 'api:write' })).toMatchObject({
      ok: false,
      code: 'insufficient_scope',
    })
    client.socket.disconnect()
    await scoped.close()
  })

  it('in every namespace but /console', async () => {
    for (const namespace of ['/', '/admin', '/console/'])
      expect(await refusedHandshake(server.url, { auth: { token }, namespace }).then(() => 'refused')).toBe(
        'refused',
      )
  })

  it('with 503 when the database is away', async () => {
    const away = openStore({ url: 'postgresql://pharos@127.0.0.1:9/none', poolSize: 1 })
    const other = await startConsoleServer({
      ...ledger,
      store: { ...ledger.store, em: () => (cut ? away.em() : ledger.store.em()) },
    })
    cut = true
    expect(await refusedHandshake(other.url, { auth: { token } })).toEqual({
      status: 503,
      code: 'database_unavailable',
    })
    cut = false
    await other.close()
    await away.close()
  })

  it('after five tries on one connection, without asking the database again', async () => {
    const raw = await openRaw(server.port)
    for (let tries = 1; tries <= 6; tries += 1) {
      raw.send(`40/console,${JSON.stringify({ token: 'wrong' })}`)
      await eventually(() => raw.frames.length).toBe(tries + 1)
    }
    const answers = raw.frames.slice(1).map((frame) => JSON.parse(frame.slice('44/console,'.length)).data)
    expect(answers).toEqual([
      ...Array.from({ length: 5 }, () => UNAUTHORIZED),
      { status: 429, code: 'rate_limited' },
    ])
    raw.tcp.destroy()
  })
})

let cut = false

describe('log', () => {
  it('has one line for every connection that ends, with its counters and no secret', async () => {
    const client = await connect(server.url, token)
    await client.ask('subscribe', { stream: 'beacons' })
    const before = server.lines.filter(({ msg }) => msg === 'stream.ended').length
    client.socket.disconnect()
    await eventually(() => server.lines.filter(({ msg }) => msg === 'stream.ended').length).toBe(before + 1)
    expect(server.lines.findLast(({ msg }) => msg === 'stream.ended')).toMatchObject({
      reason: 'client namespace disconnect',
      user_id: ledger.userId,
      team_id: ledger.teamId,
      credential: 'api_key',
      credential_id: keyId,
      transport: 'websocket',
      commands: 1,
      beacons: 0,
      events: 0,
    })
    const text = JSON.stringify(server.lines)
    expect(text).not.toContain(token)
  })
})
