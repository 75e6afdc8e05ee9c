// The account that an operator names by its address.
import type { EntityManager } from '@mikro-orm/postgresql'
import { refuse } from '../../kernel/refusal.ts'
import { db } from '../../store/run.ts'

export interface NamedAccount {
  readonly id: string
  readonly email: string
}

/** @throws not_found, which names the address, because only operators ask */
export async function accountByEmail({ em }: { em: EntityManager }, email: string): Promise<NamedAccount> {
  const found = await db(em)
    .selectFrom('users')
    .select(['id', 'email'])
    .where('email', '=', email.toLowerCase())
    .executeTakeFirst()
  if (found === undefined) throw refuse('not_found', { detail: `there is no account ${email}` })
  return found
}
