// Verbs that change or delete a bounded number of rows: what chores are made of.
import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import type { Database } from './database.ts'
import { change, command, type Sql } from './statement.ts'

/** A verb that is one command on at most `limit` rows, and returns how many it changed: call it again while it is full. */
export const boundedChange = (
  build: (parameters: { limit: number }) => Sql,
): ((em: EntityManager, limit: number) => Promise<number>) => {
  const piece = command(build)
  return (em, limit) => change(em, piece({ limit }))
}

/**
 * A verb that deletes at most `limit` rows of a table and returns how many: call it again while it is full. By their
 * places, because finding the rows again by their keys would cost as much as the deletion. It skips rows that another
 * server is deleting, or that are being changed.
 * @param which rows, and in which order if that matters: what follows WHERE
 */
export const prunes = (
  table: keyof Database,
  which: Sql,
): ((em: EntityManager, limit: number) => Promise<number>) =>
  boundedChange(
    ({ limit }) => sql`
  DELETE FROM ${sql.table(table)} WHERE ctid = ANY (ARRAY(
    SELECT ctid FROM ${sql.table(table)} WHERE ${which} LIMIT ${limit} FOR UPDATE SKIP LOCKED))`,
  )

/** What is over of a table whose rows end by themselves. Indexes: `<table>_expires_at`. */
export const EXPIRED: Sql = sql`expires_at < (SELECT pharos_now()) ORDER BY expires_at`
