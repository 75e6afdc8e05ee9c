// Creates the first account when there is no API key at all. Its key is shown before it becomes valid.

import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { createApiKey } from '../domain/accounts/api_key.ts'
import { createAccount } from '../domain/accounts/create_account.ts'
import { makePasswordReset } from '../domain/accounts/password_reset.ts'
import type { Plan } from '../domain/accounts/plan.ts'
import { change, db } from '../store/run.ts'
import { command } from '../store/statement.ts'
import { inTransaction } from '../store/transaction.ts'

export interface FirstAccount {
  readonly email: string
  /** Shown once. */
  readonly apiKey: string
  /** Of the one-time link with which the owner chooses a password. Shown once. */
  readonly passwordToken: string
}

const FIRST_ACCOUNT: { email: string; firstName: string; plan: Plan } = {
  email: 'owner@localhost.local',
  firstName: 'Owner',
  plan: 'enterprise',
}

/** One lock number for the whole database, different from those of the ledger and the migrations. */
const FIRST_KEY_LOCK = 7_205_003

/**
 * The key and the link are shown inside the transaction that makes them. If the process is killed before the commit, the shown key
 * never becomes valid and the next start shows another one. If it is killed after the commit, the key was shown. So
 * every valid key was shown. Of servers that start together, only one creates it.
 * @param show must not return before the key is stored where a person finds it
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
    const passwordToken = await makePasswordReset({ em: tx }, userId)
    await show({ email: FIRST_ACCOUNT.email, apiKey: secret, passwordToken })
    // Commit point: from here on the key is valid, and no later start makes another.
  })
}

const LOCK = command(sql`SELECT pg_advisory_xact_lock(${sql.lit(FIRST_KEY_LOCK)})`)

const someKey = async (em: EntityManager): Promise<boolean> =>
  (await db(em).selectFrom('api_keys').select('id').limit(1).executeTakeFirst()) !== undefined

/** Finds an account that a start left behind before it made the key, or that another server is making now. */
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
