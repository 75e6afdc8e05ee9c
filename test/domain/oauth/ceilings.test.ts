// What the authorization server keeps has a ceiling, whoever asks for more. The oldest goes.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { saveGrant } from '../../../server/domain/oauth/grant.ts'
import { saveSession } from '../../../server/domain/oauth/session.ts'
import { saveTicket } from '../../../server/domain/oauth/ticket.ts'
import { openTestDoor, type TestDoor } from '../accounts/account_door.ts'

let door: TestDoor
let userId = ''
beforeAll(async () => {
  door = await openTestDoor()
  userId = await door.account('many@example.com')
})
afterAll(() => door.ledger.close())

const count = async (table: string, where: string, parameters: readonly unknown[] = []): Promise<number> => {
  const [row] = await door.query<{ n: number }>(
    `SELECT count(*)::int AS n FROM ${table} WHERE ${where}`,
    parameters,
  )
  return row?.n ?? 0
}

const parts = () => ({ em: door.ledger.store.em('write') })

const grant = (id: string) =>
  saveGrant(parts(), {
    id,
    userId,
    clientId: 'client',
    scopes: ['api:read'],
    payload: {},
    seconds: 600,
  })

describe('authorization requests that wait', () => {
  const request = (id: string, address: string) =>
    saveTicket(parts(), {
      kind: 'interaction',
      id,
      grantId: null,
      sessionId: null,
      payload: {},
      seconds: 600,
      address,
    })
  const flood = (many: number, address: string) =>
    door.query(
      `INSERT INTO oauth_tickets (kind, id_hash, payload, address, inserted_at, expires_at)
       SELECT 'interaction', sha256(convert_to(${address} || n, 'UTF8')), '{}', ${address},
              pharos_now() - interval '1 minute', pharos_now() + interval '1 hour' FROM generate_series(1, $1) AS n`,
      [many],
    )

  it('of one address push out the oldest of that address, and nobody else’s', async () => {
    await request('of another', '198.51.100.1')
    await flood(250, `'198.51.100.2'`)
    await request('the newest', '198.51.100.2')
    await request('the newest', '')
    expect(await count('oauth_tickets', `address = '198.51.100.2'`)).toBe(200)
    expect(await count('oauth_tickets', `id_hash = sha256('the newest')`)).toBe(1)
    expect(await count('oauth_tickets', `id_hash = sha256('of another')`)).toBe(1)
  })

  it('of many addresses fill no table', async () => {
    await flood(10_050, `'2001:db8:' || n`)
    await request('one more', '198.51.100.3')
    await request('and another', '198.51.100.4')
    await request('and the last', '198.51.100.5')
    expect(await count('oauth_tickets', `kind = 'interaction'`)).toBe(10_000)
    expect(await count('oauth_tickets', `id_hash = sha256('and the last')`)).toBe(1)
  })
})

it('the grants of an account are those that were used last', async () => {
  await door.query(
    `INSERT INTO oauth_grants (id, user_id, client_id, payload, inserted_at, last_used_at, expires_at)
     SELECT 'grant-' || n, $1, 'client', '{}', pharos_now() - interval '2 hours',
            CASE WHEN n = 1 THEN pharos_now() END, pharos_now() + interval '1 hour'
       FROM generate_series(1, 500) AS n`,
    [userId],
  )
  await grant('the newest')
  await grant('the newest')
  expect(await count('oauth_grants', 'user_id = $1', [userId])).toBe(500)
  expect(await count('oauth_grants', `id IN ('grant-1', 'the newest')`)).toBe(2)
})

it('the sessions of an account are those that were used last', async () => {
  await door.query(
    `INSERT INTO oauth_sessions (id, cookie_hash, user_id, payload, last_used_at, expires_at)
     SELECT 'session-' || n, sha256(convert_to('s' || n, 'UTF8')), $1, '{}', pharos_now() - n * interval '1 minute',
            pharos_now() + interval '1 hour' FROM generate_series(1, 100) AS n`,
    [userId],
  )
  await saveSession(parts(), {
    id: 'the newest',
    cookie: 'cookie',
    userId,
    payload: {},
    seconds: 600,
  })
  expect(await count('oauth_sessions', 'user_id = $1', [userId])).toBe(100)
  expect(await count('oauth_sessions', `id IN ('session-99', 'the newest')`)).toBe(2)
  expect(await count('oauth_sessions', `id = 'session-100'`)).toBe(0)
})
