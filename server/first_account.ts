// Somebody who may sign in: where there is no API key at all, one account with one key, which is shown before it counts.

import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { createApiKey } from './domain/accounts/api_key.ts'
import { createAccount } from './domain/accounts/create_account.ts'
import type { Plan } from './domain/accounts/plan.ts'
import { change, db } from './store/run.ts'
import { command } from './store/statement.ts'
import { inTransaction } from './store/transaction.ts'

export interface FirstAccount {
  readonly email: string
  /** Shown once. */
  readonly apiKey: string
}

const FIRST_ACCOUNT: { email: string; firstName: string; plan: Plan } = {
  email: 'owner@localhost.local',
  firstName: 'Owner',
  plan: 'enterprise',
}

/** One number for the whole database, like the ledger's and the migrations'. */
const FIRST_KEY_LOCK = 7_205_003

/**
 * The key is shown inside the transaction that makes it: whoever is killed before the commit leaves a key in view that
 * was never made, and the next start shows another; whoever is killed after it leaves one that was seen. So no key is
 * ever valid that nobody saw. Of servers that start together, one does it.
 * @param show must not return before the key is where a person finds it
 */
export async function makeFirstAccount(
  { em }: { readonly em: EntityManager },
  show: (first: FirstAccount) => Promise<void> | void,
): Promise<void> {
  if (await someKey(em)) return
  const userId = await firstUser(em)
  await inTransaction(em, async (tx) => {
    await change(tx, LOCK)
    if (await someKey(tx)) return
    const { secret } = await createApiKey({ em: tx }, { userId, name: 'first key' })
    await show({ email: FIRST_ACCOUNT.email, apiKey: secret })
    // Commit point: from here on the key is valid, and no start makes another.
  })
}

const LOCK = command(sql`SELECT pg_advisory_xact_lock(${sql.lit(FIRST_KEY_LOCK)})`)

const someKey = async (em: EntityManager): Promise<boolean> =>
  (await db(em).selectFrom('api_keys').select('id').limit(1).executeTakeFirst()) !== undefined

/** There already when a start died before its key, or another server is making it at this moment. */
async function firstUser(em: EntityManager): Promise<string> {
  const known = await ownerId(em)
  if (known !== undefined) return known
  try {
    return (await createAccount({ em }, FIRST_ACCOUNT)).userId
  } catch (error) {
    const theirs = await ownerId(em)
    if (theirs === undefined) throw error
    return theirs
  }
}

async function ownerId(em: EntityManager): Promise<string | undefined> {
  const owner = await db(em)
    .selectFrom('users')
    .select('id')
    .where('email', '=', FIRST_ACCOUNT.email)
    .executeTakeFirst()
  return owner?.id
}
