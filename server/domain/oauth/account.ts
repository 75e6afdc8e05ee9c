// What the sign-in pages need to know of an account.
import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { text } from '../../store/columns.ts'
import { rows } from '../../store/run.ts'
import { statement } from '../../store/statement.ts'

/** The e-mail address, or undefined when there is no such account or it is disabled. */
export const activeEmail = async (em: EntityManager, userId: string): Promise<string | undefined> =>
  (await rows(em, ACTIVE({ userId })))[0]?.email

const ACTIVE = statement(
  { email: text },
  ({ userId }: { userId: string }) =>
    sql`SELECT email FROM users WHERE id = ${userId} AND disabled_at IS NULL`,
)

export const isActiveAccount = async (parts: { em: EntityManager }, userId: string): Promise<boolean> =>
  (await activeEmail(parts.em, userId)) !== undefined
