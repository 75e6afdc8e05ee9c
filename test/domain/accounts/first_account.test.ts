// The first start on an empty database makes one account and one key, once, however many servers start.
import { expect, it } from 'vitest'
import { authenticate } from '../../../server/domain/accounts/caller.ts'
import { entities } from '../../../server/entities.ts'
import { masterKey } from '../../../server/kernel/sealed.ts'
import { prepareLedger } from '../../../server/prepare_ledger.ts'
import { openStore } from '../../../server/store/open_store.ts'
import { rows } from '../../../server/store/rows.ts'
import { cloneDatabase } from '../../support/database.ts'
import { TEST_MASTER_KEY } from '../../support/ledger.ts'

it('is made by one of the servers that start together, as an enterprise account with a key that works', async () => {
  const database = await cloneDatabase()
  const store = await openStore({ url: database.url, poolSize: 6, entities })
  try {
    const start = () => prepareLedger({ url: database.url, store, masterKey: masterKey(TEST_MASTER_KEY) })
    const made = (await Promise.all([start(), start(), start()])).filter((first) => first !== undefined)
    expect(made).toHaveLength(1)
    const caller = await authenticate({ em: store.em() }, made[0]?.apiKey ?? '')
    expect(caller).toMatchObject({ plan: 'enterprise', credential: { kind: 'api_key' } })
    expect(await start()).toBeUndefined()
    expect(await rows(store.em(), 'SELECT plan FROM users')).toEqual([{ plan: 'enterprise' }])
    expect(await rows(store.em(), 'SELECT 1 AS one FROM api_keys')).toHaveLength(1)
    expect(await rows(store.em(), 'SELECT height FROM blocks')).toEqual([{ height: 0 }])
  } finally {
    await store.close()
    await database.drop()
  }
})
