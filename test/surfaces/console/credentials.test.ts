import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createAccount } from '../../../server/domain/accounts/account_door.ts'
import { createApiKey } from '../../../server/domain/accounts/api_key.ts'
import { authenticate } from '../../../server/domain/accounts/caller.ts'
import { newUuid7 } from '../../../server/kernel/identifiers.ts'
import type { TokenExpired } from '../../../shared/wire/console_stream.ts'
import { accessToken, type NewAccessToken, revokeGrant } from '../../support/access_token.ts'
import { rows } from '../../support/rows.ts'
import { testLedger } from '../../support/test_ledger.ts'
import { type ConsoleClient, connect, eventually } from './console_client.ts'
import { type ConsoleServer, startConsoleServer } from './console_server.ts'

const ledger = testLedger()
let server: ConsoleServer
const lives = new Map<string, number>()

beforeAll(async () => {
  server = await startConsoleServer(ledger, {
    timing: { credentials: 100, expiryWarning: 5_000, sweep: 50 },
    authenticate: async (token, resource) => {
      const caller = await authenticate(ledger.store.em(), token, resource)
      const lifeMs = lives.get(token)
      if (caller === undefined || lifeMs === undefined) return caller
      return { ...caller, credential: { ...caller.credential, expiresAt: Date.now() + lifeMs } }
    },
  })
})
afterAll(() => server.close())

const key = (userId = ledger.userId, expiresAt?: Date) =>
  createApiKey(ledger.store.em(), { userId, name: 'test', ...(expiresAt === undefined ? {} : { expiresAt }) })
const query = <Row>(text: string, parameters: readonly unknown[] = []) =>
  rows<Row>(ledger.store.em(), text, parameters)
const token = (parts: Partial<NewAccessToken> = {}) =>
  accessToken({ query }, { userId: ledger.userId, scopes: ['console:read'], ...parts })
/** The token ends so many milliseconds after the server has read it, however late that is. */
const endingIn = (ms: number, token: string): string => {
  lives.set(token, ms)
  return token
}
const inMs = (ms: number) => new Date(Date.now() + ms)
const revoke = (id: string) =>
  rows(ledger.store.em(), 'UPDATE api_keys SET revoked_at = pharos_now() WHERE id = $1', [id])
const lastWord = (client: ConsoleClient) => client.of('session.ended').at(-1)

describe('a credential that expires', () => {
  it('is announced ahead, ends the connection at its time, and is not reconnected with', async () => {
    const ends = async (secret: string) => {
      const client = await connect(server.url, secret)
      await client.ask('subscribe', { stream: 'beacons' })
      expect(await client.ended).toBe('io server disconnect')
      const endedAt = Date.now()
      const told = client.told.filter(({ event }) => /expired|ended/.test(event))
      expect(told).toEqual([
        { event: 'token.expired', body: { expires_at: expect.stringMatching(/Z$/) } },
        { event: 'session.ended', body: { code: 'unauthorized', message: expect.any(String) } },
      ])
      const [warning] = client.of('token.expired')
      expect(endedAt).toBeGreaterThanOrEqual(Date.parse((warning as TokenExpired).expires_at) - 50)
    }
    await Promise.all([
      ends(endingIn(4_000, (await key()).secret)),
      ends(endingIn(4_000, (await token()).token)),
    ])
    await eventually(() => server.stream.connections()).toBe(0)
  })

  it('that is refreshed in time goes on without a reconnect or a lost beacon', async () => {
    const first = await token()
    const client = await connect(server.url, endingIn(3_000, first.token))
    await client.ask('subscribe', { stream: 'beacons' })
    await eventually(() => client.of('token.expired').length).toBe(1)
    const firstEndsAt = Date.parse((client.of('token.expired')[0] as TokenExpired).expires_at)
    const next = await token({ grantId: first.grantId })
    const answer = await client.ask('token.refresh', { token: next.token })
    expect(answer).toEqual({ ok: true, expires_at: expect.stringMatching(/^\d{4}-.*Z$/) })
    const expiresAt = inMs(600_000)
    const limited = await key(ledger.userId, expiresAt)
    expect(await client.ask('token.refresh', { token: limited.secret })).toEqual({
      ok: true,
      expires_at: expiresAt.toISOString(),
    })
    await query('DELETE FROM oauth_access_tokens WHERE id = $1', [first.id])
    expect(await client.ask('token.refresh', { token: (await key()).secret })).toEqual({
      ok: true,
      expires_at: null,
    })
    await eventually(() => Date.now()).toBeGreaterThan(firstEndsAt + 500)
    await ledger.finalize()
    await eventually(() => client.beacons().length).toBe(1)
    expect(client.socket.connected).toBe(true)
    client.socket.disconnect()
  })
})

describe('token.refresh', () => {
  it('refuses what is no token, a revoked one, and one of somebody else; the session goes on', async () => {
    const client = await connect(server.url, (await key()).secret)
    const stranger = await createAccount(ledger.store.em(), {
      email: 'x@example.com',
      firstName: 'X',
      plan: 'free',
    })
    const gone = await key()
    await revoke(gone.id)
    const [mine, theirs, agents] = await Promise.all([
      token({ lifetimeMs: -1 }),
      token({ userId: stranger.userId }),
      token({ resource: 'mcp', scopes: ['mcp:read'] }),
    ])
    for (const refused of [
      mine.token,
      theirs.token,
      agents.token,
      undefined,
      null,
      '',
      7,
      'phk_x',
      '\0',
      gone.secret,
      (await key(stranger.userId)).secret,
    ])
      expect(await client.ask('token.refresh', { token: refused })).toEqual({
        ok: false,
        code: 'unauthorized',
        message: 'no valid credential',
      })
    const closed = await token({ scopes: ['account'], clientId: 'console' })
    expect(await client.ask('token.refresh', { token: closed.token })).toMatchObject({
      ok: false,
      code: 'insufficient_scope',
    })
    expect(await client.ask('unsubscribe', { stream: 'beacons' })).toEqual({ ok: true })
    client.socket.disconnect()
  })
})

describe('a credential that is revoked', () => {
  it('ends its sessions and no others', async () => {
    const lost = await key()
    const kept = await key()
    const { userId } = await createAccount(ledger.store.em(), {
      email: 'y@example.com',
      firstName: 'Y',
      plan: 'developer',
    })
    const [granted, stays, disabled] = await Promise.all([token(), token(), token({ userId })])
    const going = await Promise.all([
      connect(server.url, lost.secret),
      connect(server.url, lost.secret, { transports: ['polling'] }),
      connect(server.url, granted.token),
      connect(server.url, disabled.token),
      connect(server.url, (await key(userId)).secret),
    ])
    const staying = await Promise.all([connect(server.url, kept.secret), connect(server.url, stays.token)])
    await revoke(lost.id)
    await revokeGrant({ query }, granted.grantId)
    await query('UPDATE users SET disabled_at = pharos_now() WHERE id = $1', [userId])
    for (const client of going) {
      expect(await client.ended).toBe('io server disconnect')
      expect(lastWord(client)).toEqual({ code: 'unauthorized', message: expect.any(String) })
    }
    for (const client of staying) {
      expect(client.socket.connected).toBe(true)
      expect(await client.ask('unsubscribe', { stream: 'beacons' })).toEqual({ ok: true })
      client.socket.disconnect()
    }
  })

  it('does not end a session that has changed to another one', async () => {
    const lost = await key()
    const client = await connect(server.url, lost.secret)
    await client.ask('token.refresh', { token: (await key()).secret })
    await revoke(lost.id)
    // A session whose key is revoked later has ended: so the look that could have ended ours is over.
    const later = await key()
    const witness = await connect(server.url, later.secret)
    await revoke(later.id)
    await witness.ended
    expect(client.socket.connected).toBe(true)
    client.socket.disconnect()
  })
})

describe('a membership that is lost', () => {
  it('ends the sessions of that team', async () => {
    const { userId, teamId } = await createAccount(ledger.store.em(), {
      email: 'bob@example.com',
      firstName: 'Bob',
      plan: 'free',
    })
    await rows(
      ledger.store.em(),
      `INSERT INTO memberships (id, team_id, user_id, role) VALUES ($1, $2, $3, 'member')`,
      [newUuid7(), ledger.teamId, userId],
    )
    const { secret } = await key(userId)
    const [inTeam, atHome] = await Promise.all([
      connect(server.url, secret, { tenant: ledger.teamId }),
      connect(server.url, secret, { tenant: teamId }),
    ])
    await inTeam.ask('subscribe', { stream: 'items' })
    await rows(ledger.store.em(), 'DELETE FROM memberships WHERE user_id = $1 AND team_id = $2', [
      userId,
      ledger.teamId,
    ])
    expect(await inTeam.ended).toBe('io server disconnect')
    expect(lastWord(inTeam)).toEqual({ code: 'forbidden_tenant', message: expect.any(String) })
    expect(atHome.socket.connected).toBe(true)
    atHome.socket.disconnect()
  })
})

describe('a server that stops', () => {
  it('lets everybody go, and they come back to the next one by themselves, missing nothing', async () => {
    const first = await startConsoleServer(ledger)
    const { secret } = await key()
    const clients = await Promise.all(
      ['websocket', 'polling'].map((transport) =>
        connect(first.url, secret, { transports: [transport], reconnection: true }),
      ),
    )
    const welcomes = clients.map(
      ({ socket }) =>
        new Promise((resolve) => socket.once('disconnect', () => socket.once('welcome', resolve))),
    )
    await first.close()
    const second = await startConsoleServer(ledger, { port: first.port })
    await Promise.all(welcomes)
    expect(first.lines.filter(({ msg }) => msg === 'stream.ended').map(({ reason }) => reason)).toEqual([
      'closed',
      'closed',
    ])
    for (const { socket } of clients) socket.disconnect()
    await second.close()
  })
})
