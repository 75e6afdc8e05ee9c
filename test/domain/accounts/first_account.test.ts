// The first start on an empty database makes one account and one key, once, however many servers start.
import { afterEach, expect, it } from 'vitest'
import { authenticate } from '../../../server/domain/accounts/caller.ts'
import { masterKey } from '../../../server/kernel/sealed.ts'
import { makeFirstAccount } from '../../../server/start/first_account.ts'
import { prepareLedger } from '../../../server/start/prepare_ledger.ts'
import { openStore, type Store } from '../../../server/store/open_store.ts'
import { cloneDatabase, emptyDatabase, type TestDatabase } from '../../support/database.ts'
import { TEST_MASTER_KEY } from '../../support/master_key.ts'
import { rows } from '../../support/rows.ts'

let database: TestDatabase
let store: Store
const open = async (made: TestDatabase) => {
  database = made
  store = openStore({ url: database.url, poolSize: 1 })
}
afterEach(async () => {
  await store.close()
  await database.drop()
})

const callerOf = (key: string | undefined) => authenticate(store.em('read'), key ?? '', 'api')
/** That of rounds is none of a person. */
const counted = async (table: 'users' | 'api_keys') =>
  (await rows(store.em(), `SELECT id FROM ${table === 'users' ? 'users WHERE email IS NOT NULL' : table}`))
    .length

it('is made by one of the servers that start together, as an enterprise account with a key that works', async () => {
  await open(await emptyDatabase())
  const shown: { readonly apiKey: string }[] = []
  const start = async () => {
    await prepareLedger({
      url: database.url,
      store,
      masterKey: masterKey(TEST_MASTER_KEY),
      publicLog: { origin: 'localhost/log' },
    })
    await makeFirstAccount(store.em(), (first) => void shown.push(first))
  }
  await Promise.all([start(), start(), start()])
  expect(shown).toHaveLength(1)
  expect(await callerOf(shown[0]?.apiKey)).toMatchObject({
    plan: 'enterprise',
    credential: { kind: 'api_key' },
  })
  await start()
  expect(shown).toHaveLength(1)
  expect([await counted('users'), await counted('api_keys')]).toEqual([1, 1])
  expect(await rows(store.em(), 'SELECT height FROM blocks')).toEqual([{ height: 0 }])
})

it('its key is not made when it could not be shown, and the next start shows one that works', async () => {
  await open(await cloneDatabase())
  const shown: { readonly apiKey: string }[] = []
  const unseen = makeFirstAccount(store.em(), (first) => {
    shown.push(first)
    throw new Error('the disk is full')
  })
  await expect(unseen).rejects.toThrow('the disk is full')
  expect(await counted('api_keys')).toBe(0)
  expect(await callerOf(shown[0]?.apiKey)).toBeUndefined()
  await makeFirstAccount(store.em(), (first) => void shown.push(first))
  expect(await callerOf(shown[1]?.apiKey)).toMatchObject({ credential: { kind: 'api_key' } })
  expect([await counted('users'), await counted('api_keys')]).toEqual([1, 1])
})

it('its key does not work before it was shown', async () => {
  await open(await cloneDatabase())
  await makeFirstAccount(store.em(), async ({ apiKey }) => {
    expect(await callerOf(apiKey)).toBeUndefined()
  })
  expect(await counted('api_keys')).toBe(1)
})
