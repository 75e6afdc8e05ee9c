// What must be true before a server listens: schema, genesis, a head that verifies, somebody who may sign in.

import { createApiKey } from './domain/accounts/api_key.ts'
import { createAccount } from './domain/accounts/create_account.ts'
import type { Plan } from './domain/accounts/plan.ts'
import { loadArticles } from './domain/knowledge/load_articles.ts'
import { publishArticles } from './domain/knowledge/publish_articles.ts'
import { makeGenesis } from './domain/ledger/genesis.ts'
import { createSigner } from './domain/ledger/signer.ts'
import { verifyHead } from './domain/ledger/verify_head.ts'
import type { MasterKey } from './kernel/sealed.ts'
import { migrate, underMigrationLock } from './store/migrate.ts'
import type { Store } from './store/open_store.ts'
import { rows } from './store/rows.ts'

export interface FirstAccount {
  readonly email: string
  /** Shown once. */
  readonly apiKey: string
}

const FIRST_ACCOUNT: { email: string; name: string; plan: Plan } = {
  email: 'owner@localhost.local',
  name: 'Owner',
  plan: 'enterprise',
}

/**
 * Runs under the migration lock: of servers that start together one does it and the others find it done. Every step
 * is a transaction that is safe to repeat, so a start that died half-way is finished by the next one.
 * @returns the first account with its key, when this start made it
 */
export function prepareLedger({
  url,
  store,
  masterKey,
}: {
  url: string
  store: Store
  masterKey: MasterKey
}): Promise<FirstAccount | undefined> {
  return underMigrationLock(url, async () => {
    await migrate(store)
    const em = store.em()
    await makeGenesis({ em, masterKey, signer: createSigner({ masterKey }) })
    await verifyHead({ em })
    await publishArticles({ em }, await loadArticles())
    const keys = await rows(em, 'SELECT 1 FROM api_keys LIMIT 1')
    if (keys.length > 0) return undefined
    const [owner] = await rows<{ id: string }>(em, 'SELECT id FROM users WHERE email = $1', [
      FIRST_ACCOUNT.email,
    ])
    const userId = owner?.id ?? (await createAccount({ em }, FIRST_ACCOUNT)).userId
    const { secret } = await createApiKey({ em }, { userId, name: 'first key' })
    return { email: FIRST_ACCOUNT.email, apiKey: secret }
  })
}
