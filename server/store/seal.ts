// Seals what is stored, opens it, and seals all of it under another master key. There is no other way to a sealed value, so none can be sealed under a key that
// is no longer in force.
import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { Refusal, refuse } from '../kernel/refusal.ts'
import { type MasterKey, SealBroken, unlessBroken } from '../kernel/sealed.ts'
import { bool, bytes, text } from './columns.ts'
import { idText, placeOf, type RowId, type SealedName, sealedColumns, type WalkedColumn } from './database.ts'
import { ALWAYS, change, command, firstRow, pages, row, statement } from './statement.ts'

export interface Sealing {
  readonly em: EntityManager
  readonly masterKey: MasterKey
}

/**
 * Within the transaction that stores the value in this column of this row.
 * @throws master_key_changed when another key is in force than that of this process
 */
export async function seal(
  { em, masterKey }: Sealing,
  name: SealedName,
  id: RowId,
  plain: Uint8Array,
): Promise<Buffer> {
  await holdKeyInForce({ em, masterKey })
  return masterKey.seal(plain, placeOf(name, id))
}

/**
 * @throws master_key_changed when another key is in force than that of this process
 * @throws SealBroken when the value does not open although this key is in force
 */
export async function openSealed(
  { em, masterKey }: Sealing,
  name: SealedName,
  id: RowId,
  sealed: Uint8Array,
): Promise<Buffer> {
  try {
    return openUnder(masterKey, name, id, sealed)
  } catch (error) {
    if (error instanceof SealBroken) await refuseIfChanged({ em, masterKey })
    throw error
  }
}

/** For those who try a key. @throws SealBroken */
export const openUnder = (
  masterKey: Pick<MasterKey, 'open'>,
  name: SealedName,
  id: RowId,
  sealed: Uint8Array,
): Buffer => masterKey.open(sealed, placeOf(name, id))

/**
 * Which master key is in force, the one under which everything sealed is sealed: one row has its fingerprint. Who seals
 * holds this lock, shared, until its transaction ends. Who changes the key holds it alone. So:
 * - Sealed first: the change waits for the end of that transaction, and then finds what it stored.
 * - The change has the lock, or waits for it: who wants to seal is refused at once. To wait would help nobody, because
 *   after the change the answer is the same, and it would hold a connection. Nor can those who seal hold up a change.
 * - The change was committed before the lock was free: the fingerprint is read by a later statement than the one that
 *   took the lock, so it is the new one.
 * - The change failed or was killed: PostgreSQL frees its lock, and the key in force is the same as before.
 * - Two changes: the second waits, and then finds that its own key is not in force any more.
 */
const LOCK = sql.lit(7_205_004)

interface KeyHolder {
  readonly em: EntityManager
  readonly masterKey: Pick<MasterKey, 'fingerprint'>
}

/** The fingerprint of the key in force. Undefined while nothing is sealed. */
export async function keyInForce(em: EntityManager): Promise<string | undefined> {
  return (await firstRow(em, IN_FORCE))?.fingerprint
}

/** What this process has opened, or could not open, may be due to a change. @throws master_key_changed */
export async function refuseIfChanged({ em, masterKey }: KeyHolder): Promise<void> {
  if ((await keyInForce(em)) !== masterKey.fingerprint) throw refuse('master_key_changed')
}

/**
 * Until the caller's transaction ends, the key of this process stays in force.
 * @throws master_key_changed when it is not in force, or is being changed
 */
async function holdKeyInForce({ em, masterKey }: KeyHolder): Promise<void> {
  if (!em.isInTransaction()) throw new Error('The key in force can be held by a transaction only.')
  const { held } = await row(em, TRY_HOLD)
  if (!held) throw refuse('master_key_changed', { detail: BEING_CHANGED })
  await refuseIfChanged({ em, masterKey })
}

/** Waits until no other transaction seals or changes the key, and keeps them out until the caller's ends. */
export const holdAllKeys = (em: EntityManager): Promise<number> => change(em, HOLD_ALONE)

/** Does nothing when a key is in force already. The caller seals its first value, or has tried the key. */
export const putFirstKeyInForce = ({ em, masterKey }: KeyHolder): Promise<number> =>
  change(em, PUT_FIRST({ fingerprint: masterKey.fingerprint }))

/** The caller has called `holdAllKeys`, and sealed everything under this key. */
export const putKeyInForce = ({ em, masterKey }: KeyHolder): Promise<number> =>
  change(em, PUT({ fingerprint: masterKey.fingerprint }))

export const isKeyChanged = (error: unknown): boolean =>
  error instanceof Refusal && error.code === 'master_key_changed'

const BEING_CHANGED = 'the master key is being changed; try again shortly'

const IN_FORCE = statement({ fingerprint: text }, sql`SELECT fingerprint FROM master_key`)

const TRY_HOLD = statement({ held: bool }, sql`SELECT pg_try_advisory_xact_lock_shared(${LOCK}) AS held`)

const HOLD_ALONE = command(sql`SELECT pg_advisory_xact_lock(${LOCK})`)

const PUT_FIRST = command(
  ({ fingerprint }: { fingerprint: string }) =>
    sql`INSERT INTO master_key (fingerprint) VALUES (${fingerprint}) ON CONFLICT DO NOTHING`,
)

const PUT = command(
  ({ fingerprint }: { fingerprint: string }) => sql`UPDATE master_key SET fingerprint = ${fingerprint}`,
)

/** A value that the master key does not open. */
export interface Unopened {
  readonly table: string
  readonly id: string
  readonly column: string
}

const ROWS_PER_PIECE = 1_000

/**
 * Runs inside the caller's transaction: all or nothing. The table is locked against writers until the transaction
 * ends, so that no value that its owner has removed or replaced meanwhile comes back; also against those who lock a row
 * before they write it, because both would wait for each other. A value that does not open stays
 * as it is and is named, unless it is sealed under the new key already.
 * @returns the number of values that are now sealed under the new key, and those that are not
 */
export async function rewrapColumn(
  em: EntityManager,
  walked: WalkedColumn,
  { from, to }: { readonly from: MasterKey; readonly to: MasterKey },
): Promise<{ readonly sealed: number; readonly unopened: readonly Unopened[] }> {
  const table = sql.table(walked.table)
  const id = sql.ref(walked.id)
  const column = sql.ref(walked.column)
  const type = sql.raw(walked.kind.type)
  const unopened: Unopened[] = []
  let sealed = 0
  await change(em, command(sql`LOCK TABLE ${table} IN EXCLUSIVE MODE`))
  for await (const piece of pieces(em, walked)) {
    const wrapped = piece.flatMap((one) => {
      const place = walked.placeOf(one.id)
      const plain = unlessBroken(() => from.open(one.sealed, place))
      if (plain !== undefined) return [{ id: one.id, sealed: to.seal(plain, place) }]
      if (unlessBroken(() => to.open(one.sealed, place)) === undefined) unopened.push(named(walked, one.id))
      return []
    })
    sealed += await change(
      em,
      command(sql`
        UPDATE ${table} SET ${column} = w.sealed
          FROM unnest(${wrapped.map((one) => one.id)}::${type}[], ${wrapped.map((one) => one.sealed)}::bytea[]) AS w (id, sealed)
         WHERE ${table}.${id} = w.id`),
    )
  }
  return { sealed, unopened }
}

/** Every sealed value that does not open. Reads all of them, a piece at a time, and locks nothing. */
export async function* unopenedValues({ em, masterKey }: Sealing): AsyncGenerator<Unopened> {
  for (const walked of sealedColumns)
    for await (const piece of pieces(em, walked))
      for (const one of piece)
        if (unlessBroken(() => masterKey.open(one.sealed, walked.placeOf(one.id))) === undefined)
          yield named(walked, one.id)
}

const named = ({ table, column }: WalkedColumn, id: RowId): Unopened => ({ table, id: idText(id), column })

/** In the order of the ids. Index: the primary key of the table. */
function pieces(em: EntityManager, { table, id, kind, column }: WalkedColumn) {
  const idColumn = sql.ref(id)
  return pages<{ readonly id: RowId; readonly sealed: Buffer }>(em, (last) =>
    statement(
      { id: kind, sealed: bytes },
      sql`SELECT ${idColumn} AS id, ${sql.ref(column)} AS sealed FROM ${sql.table(table)}
           WHERE ${sql.ref(column)} IS NOT NULL AND ${last === undefined ? ALWAYS : sql`${idColumn} > ${last.id}`}
           ORDER BY ${idColumn} LIMIT ${ROWS_PER_PIECE}`,
    ),
  )
}
