// What the authorization server keeps has a ceiling, whoever asks for more. What is under way is not ended by others.
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { saveGrant } from '../../../server/domain/oauth/grant.ts'
import { saveSession } from '../../../server/domain/oauth/session.ts'
import { saveRequest } from '../../../server/domain/oauth/token.ts'
import type { Refusal } from '../../../server/kernel/refusal.ts'
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
  saveGrant(parts().em, {
    id,
    userId,
    clientId: 'client',
    scopes: ['api:read'],
    payload: {},
    seconds: 600,
  })

describe('authorization requests that wait', () => {
  const save = (id: string, of: Parameters<typeof saveRequest>[1]['of']) =>
    saveRequest(parts().em, { id, payload: {}, seconds: 1_800, of })
  const request = (id: string, network: string) => save(id, { network })
  /** They came a minute ago, and end after what is asked for now. */
  const flood = (many: number, networkOf: string, ends = `interval '29 minutes'`) =>
    door.query(
      `INSERT INTO oauth_tickets (kind, id_hash, payload, address, expires_at)
       SELECT 'interaction', sha256(convert_to(gen_random_uuid()::text, 'UTF8')), '{}', ${networkOf},
              pharos_now() + ${ends} FROM generate_series(1, $1) AS n`,
      [many],
    )
  const waiting = (where: string, parameters: readonly unknown[] = []) =>
    count('oauth_tickets', `kind = 'interaction' AND ${where}`, parameters)
  const full = { code: 'rate_limited', problems: [{ meta: { retry_after_ms: expect.any(Number) } }] }

  afterEach(() => door.query(`DELETE FROM oauth_tickets WHERE kind = 'interaction'`))

  it('of one network have a fortieth of what is free; one more is refused, and ends none that waits', async () => {
    await request('under way', '198.51.100.2')
    await flood(243, `'198.51.100.2'`)
    await expect(request('one more', '198.51.100.2')).rejects.toMatchObject(full)
    expect(await waiting(`address = '198.51.100.2'`)).toBe(244)
    // Who waits goes on, and others begin.
    await request('under way', '198.51.100.2')
    await request('of another', '198.51.100.1')
    expect(await waiting(`id_hash IN (sha256('under way'), sha256('of another'))`)).toBe(2)
  })

  it('say when the next of the network ends, and give its place free then', async () => {
    await flood(250, `'198.51.100.2'`, `interval '10 minutes' + n * interval '1 second'`)
    const refused: Refusal = await request('one more', '198.51.100.2').catch((error) => error)
    expect(Number(refused.problems[0]?.meta?.retry_after_ms) / 60_000).toBeCloseTo(10, 0)
    await door.query(`UPDATE oauth_tickets SET expires_at = pharos_now() WHERE kind = 'interaction'`)
    await request('one more', '198.51.100.2')
  })

  it('of many networks fill no table, and a network without any finds room until it is full', async () => {
    await flood(9_900, `'203.0.113.' || n % 80`)
    for (const name of ['one', 'two', 'three']) await request(name, '198.51.100.3')
    await expect(request('four', '198.51.100.3')).rejects.toMatchObject(full)
    await request('of another', '198.51.100.4')
    await flood(96, `'203.0.113.99'`)
    await expect(request('no room', '198.51.100.5')).rejects.toMatchObject(full)
    expect(await waiting('true')).toBe(10_000)
  })

  it('of somebody who is signed in need no room among those of strangers, and push out that person’s own', async () => {
    await flood(10_000, `'203.0.113.' || n % 80`)
    await door.query(
      `UPDATE oauth_tickets SET id_hash = sha256('begun by a stranger') WHERE ctid =
         (SELECT ctid FROM oauth_tickets WHERE kind = 'interaction' LIMIT 1)`,
    )
    await save('begun by a stranger', { account: userId })
    await flood(99, `'account ${userId}'`, `n * interval '1 second'`)
    await save('the newest', { account: userId })
    expect(await waiting('address = $1', [`account ${userId}`])).toBe(100)
    expect(await waiting(`id_hash IN (sha256('the newest'), sha256('begun by a stranger'))`)).toBe(2)
    expect(await waiting('address <> $1', [`account ${userId}`])).toBe(9_999)
  })

  it('of people who are signed in, however many, leave strangers their room', async () => {
    await flood(12_000, `'account ' || n`)
    await save('a stranger', { network: '198.51.100.7' })
    expect(await waiting(`id_hash = sha256('a stranger')`)).toBe(1)
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
  await saveSession(parts().em, {
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
