// Which callers credentials stand for: API keys, and access tokens of one resource.
import { expect, it } from 'vitest'
import { createAccountCache } from '../../../server/domain/accounts/account_cache.ts'
import { createAccount } from '../../../server/domain/accounts/account_door.ts'
import { createApiKey } from '../../../server/domain/accounts/api_key.ts'
import { authenticate, type Caller, validCredentials } from '../../../server/domain/accounts/caller.ts'
import type { ProtectedResource, Scope } from '../../../server/domain/accounts/scope.ts'
import { accessToken, type NewAccessToken, revokeGrant } from '../../support/access_token.ts'
import { rows } from '../../support/rows.ts'
import { testLedger } from '../../support/test_ledger.ts'

const ledger = testLedger()

const query = <Row>(text: string, parameters: readonly unknown[] = []) =>
  rows<Row>(ledger.store.em(), text, parameters)
const callerOf = (token: string, resource: ProtectedResource = 'api', store = ledger.store) =>
  authenticate(store.em('read'), token, resource)
const tokenWith = (parts: Partial<NewAccessToken> = {}) =>
  accessToken({ query }, { userId: ledger.userId, scopes: ['api:read'], ...parts })
const scopesOf = (caller: Caller | undefined) => [...(caller?.scopes ?? [])].sort()

it('an API key stands for its account with every scope of the API, and is unknown to the agent tools', async () => {
  const { id, secret } = await createApiKey(ledger.store.em(), { userId: ledger.userId, name: 'a key' })
  expect(await callerOf(secret)).toMatchObject({
    userId: ledger.userId,
    credential: { kind: 'api_key', id, expiresAt: null },
  })
  expect(scopesOf(await callerOf(secret))).toEqual([
    'account',
    'api:read',
    'api:write',
    'console:read',
    'console:write',
  ])
  expect(await callerOf(secret, 'mcp')).toBeUndefined()
})

it('an access token stands for its account, client and grant at its own resource alone', async () => {
  const api = await tokenWith({ clientId: 'abc' })
  const mcp = await tokenWith({ resource: 'mcp', scopes: ['mcp:read'] })
  expect(await callerOf(api.token)).toMatchObject({
    userId: ledger.userId,
    plan: 'enterprise',
    credential: {
      kind: 'access_token',
      id: api.id,
      clientId: 'abc',
      grantId: api.grantId,
      expiresAt: expect.any(Number),
    },
  })
  expect(await callerOf(api.token, 'mcp')).toBeUndefined()
  expect(scopesOf(await callerOf(mcp.token, 'mcp'))).toEqual(['mcp:read'])
  expect(await callerOf(mcp.token)).toBeUndefined()
})

it('what is remembered for one resource is not known at the other', async () => {
  const remembered = createAccountCache({ em: () => ledger.store.em('read'), connected: () => true })
  const { token } = await tokenWith({ resource: 'mcp', scopes: ['mcp:read'] })
  const known = await remembered.authenticate(token, 'mcp')
  expect(known).toBeDefined()
  expect(await remembered.authenticate(token, 'mcp')).toBe(known)
  expect(await remembered.authenticate(token, 'api')).toBeUndefined()
})

it.each<[readonly Scope[], Partial<NewAccessToken>, readonly Scope[]]>([
  [['api:read'], {}, ['api:read']],
  [['api:write'], {}, ['api:read', 'api:write']],
  [['console:write'], {}, ['console:read', 'console:write']],
  [['mcp:write'], { resource: 'mcp' }, ['mcp:read', 'mcp:write']],
  [['mcp:write', 'mcp:read', 'api:read'], {}, ['api:read']],
  [['api:write', 'account'], { resource: 'mcp' }, []],
  [['account', 'api:read'], {}, ['api:read']],
  [['account', 'api:read'], { clientId: 'console' }, ['account', 'api:read']],
  [['everything' as Scope, '__proto__' as Scope], {}, []],
])(
  'granted %j, %j: %j, because write implies read, and nothing crosses resources',
  async (scopes, parts, had) => {
    const { token } = await tokenWith({ scopes, ...parts })
    expect(scopesOf(await callerOf(token, parts.resource))).toEqual(had)
  },
)

it('what is expired, revoked, of a disabled account or no token at all stands for nobody', async () => {
  const { userId } = await createAccount(ledger.store.em(), {
    email: 'bob@example.com',
    firstName: 'Bob',
    plan: 'free',
  })
  const [kept, expired, revoked, disabled, later] = await Promise.all([
    tokenWith(),
    tokenWith({ lifetimeMs: -1 }),
    tokenWith(),
    tokenWith({ userId }),
    tokenWith({ lifetimeMs: 900_000 }),
  ])
  const key = await createApiKey(ledger.store.em(), { userId, name: 'of Bob' })
  const callers = await Promise.all([kept, revoked, disabled, later].map(({ token }) => callerOf(token)))
  const open = [...callers, await callerOf(key.secret)].flatMap((one) => one?.credential ?? [])
  expect(open).toHaveLength(5)
  await revokeGrant({ query }, revoked.grantId)
  await query('UPDATE users SET disabled_at = pharos_now() WHERE id = $1', [userId])
  for (const gone of [expired.token, revoked.token, disabled.token, key.secret])
    expect(await callerOf(gone)).toBeUndefined()
  const { token } = kept
  for (const wrong of [
    '',
    ' ',
    `${token}x`,
    token.slice(1),
    `${token}\0`,
    'a.b.c',
    `phk_${token}`,
    'x'.repeat(9_000),
  ])
    expect(await callerOf(wrong)).toBeUndefined()
  const skewed = await ledger.openSkewed('16 minutes')
  expect(await callerOf(later.token, 'api', skewed)).toBeUndefined()
  // The same is true of connections that are open.
  expect([...(await validCredentials(ledger.store.em(), open))].sort()).toEqual([kept.id, later.id].sort())
  expect(await validCredentials(skewed.em(), open)).toEqual(new Set())
})

it('the use of keys and grants is noted in one statement, to the minute', async () => {
  const [used, unused] = await Promise.all([tokenWith(), tokenWith()])
  const key = await createApiKey(ledger.store.em(), { userId: ledger.userId, name: 'used' })
  const note = async (store = ledger.store) => {
    const cache = createAccountCache({ em: () => store.em(), connected: () => true })
    for (const token of [key.secret, used.token]) await cache.authenticate(token, 'api')
    await cache.noteUse()
  }
  const noted = async () =>
    (
      await query<{ id: string; at: string }>(
        `SELECT id, iso_time(last_used_at) AS at FROM oauth_grants UNION ALL
         SELECT id, iso_time(last_used_at) FROM api_keys WHERE id = $1`,
        [key.id],
      )
    ).filter(({ id }) => id === key.id || id === used.grantId || id === unused.grantId)
  const at = async (id: string) => (await noted()).find((one) => one.id === id)?.at
  await note()
  const first = [await at(key.id), await at(used.grantId)]
  expect(first).toEqual([expect.any(String), expect.any(String)])
  expect(await at(unused.grantId)).toBeNull()
  await note()
  expect([await at(key.id), await at(used.grantId)]).toEqual(first)
  await note(await ledger.openSkewed('2 minutes'))
  expect([await at(key.id), await at(used.grantId)]).not.toContain(first[0])
})

it('a key that is not remembered is read once for all who ask meanwhile, and again after a change', async () => {
  const { secret } = await createApiKey(ledger.store.em(), { userId: ledger.userId, name: 'shared' })
  let reads = 0
  let isConnected = true
  const cache = createAccountCache({
    em: () => {
      reads += 1
      return ledger.store.em('read')
    },
    connected: () => isConnected,
  })
  const ask = (token: string) =>
    Promise.all(Array.from({ length: 32 }, () => cache.authenticate(token, 'api')))
  expect(new Set((await ask(secret)).map((caller) => caller?.userId))).toEqual(new Set([ledger.userId]))
  expect(reads).toBe(1)

  cache.clear()
  const stale = cache.authenticate(secret, 'api')
  cache.clear()
  const fresh = cache.authenticate(secret, 'api')
  expect((await stale)?.userId).toBe((await fresh)?.userId)
  expect(reads).toBe(3)

  // Without notices nobody could tell that the answer of another is old.
  isConnected = false
  await ask(secret)
  expect(reads).toBe(35)
})
