// What the owner can do with a recorded item: label it, set its visibility, redact it, restore it, delete it; and the
// redaction of those that have expired.
import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { type Problem, problem, refuse, refuseAny } from '../../kernel/refusal.ts'
import { boundedChange } from '../../store/bounded_change.ts'
import { bool, bytes } from '../../store/columns.ts'
import {
  change,
  command,
  db,
  inTransaction,
  type RowFrom,
  rows,
  type Sql,
  statement,
} from '../../store/statement.ts'
import { maySubmit } from '../accounts/team.ts'
import type { SubmittedClaims } from './claims.ts'
import type { FactKind } from './facts.ts'
import { changeableItem, claimedColumns, expiryJudge, readableItem, type Visibility } from './item.ts'

interface ItemChange {
  readonly visibility?: Visibility
  readonly tags?: readonly string[]
  /** The caller must be allowed to write in this team. */
  readonly teamId?: string
  /** A time in the future, or null for never. */
  readonly expiresAt?: Date | null
  /** True erases the claims. False restores them and requires them in `claims`. */
  readonly redacted?: boolean
  readonly claims?: SubmittedClaims
}

/** `unchanged` means that the item already had these values. Then no row was written and no fact was recorded. */
type ChangeOutcome = 'changed' | 'unchanged'

type Owned = RowFrom<typeof OWN>

/**
 * Makes all changes or none, in one transaction. Redaction and restoration record a fact. Labels, visibility, team
 * and expiry record none, because they do not change what was recorded.
 * @throws not_found, forbidden, invalid_attribute, invalid_argument
 */
export async function updateItem(
  em: EntityManager,
  { id, userId }: { id: string; userId: string },
  wanted: ItemChange,
): Promise<ChangeOutcome> {
  return inTransaction(em, async (tx) => {
    const owned = await ownItem(tx, id, userId)
    const { redacted = owned.redacted, claims, ...labels } = wanted
    refuseAny(await checkItemChange(tx, userId, labels))
    let changed = await change(tx, LABEL(columnsOf(id, labels)))
    if (redacted && !owned.redacted) changed += await change(tx, REDACT({ id }))
    if (!redacted && owned.redacted) changed += await unredact(tx, id, owned, claims)
    return changed > 0 ? 'changed' : 'unchanged'
  })
}

/** The problems of a new team or a new expiry that can be found without reading the item. */
export async function checkItemChange(
  em: EntityManager,
  userId: string,
  {
    teamId,
    expiresAt,
  }: { readonly teamId?: string | undefined; readonly expiresAt?: Date | null | undefined },
): Promise<Problem[]> {
  const judge = await expiryJudge(() => em, [expiresAt])
  const [member] =
    teamId === undefined
      ? []
      : await db(em)
          .selectFrom('memberships')
          .select('role')
          .where('user_id', '=', userId)
          .where('team_id', '=', teamId)
          .execute()
  const mayMove = teamId === undefined || (member !== undefined && maySubmit(member.role))
  return [...(mayMove ? [] : [NO_TEAM]), ...judge(expiresAt)]
}

const NO_TEAM: Problem = Object.freeze(
  problem('invalid_attribute', { path: ['team_id'], detail: 'is no team where you may write' }),
)

type Labels = Omit<ItemChange, 'redacted' | 'claims'>

function columnsOf(id: string, { visibility, tags, teamId, expiresAt, ...others }: Labels) {
  others satisfies Record<string, never>
  return {
    id,
    visibility: visibility ?? null,
    tags: tags ?? null,
    teamId: teamId ?? null,
    setsExpiry: expiresAt !== undefined,
    expiresAt: expiresAt ?? null,
  }
}

const LABEL = command(
  ({ id, visibility, tags, teamId, setsExpiry, expiresAt }: ReturnType<typeof columnsOf>) => sql`
  UPDATE items SET visibility = wanted.visibility, tags = wanted.tags, team_id = wanted.team_id,
                   expires_at = wanted.expires_at, updated_at = pharos_now()
    FROM (SELECT coalesce(${visibility}, visibility) AS visibility, coalesce(${tags}::text[], tags) AS tags,
                 coalesce(${teamId}, team_id) AS team_id,
                 CASE WHEN ${setsExpiry} THEN ${expiresAt}::timestamptz ELSE expires_at END AS expires_at
            FROM items WHERE id = ${id}) AS wanted
   WHERE items.id = ${id}
     AND (items.visibility, items.tags, items.team_id, items.expires_at)
         IS DISTINCT FROM (wanted.visibility, wanted.tags, wanted.team_id, wanted.expires_at)`,
)

/**
 * Restores claims that hash to the recorded `claims_hash`.
 * @throws invalid_argument when the claims hash to another value
 */
async function unredact(
  em: EntityManager,
  id: string,
  owned: Owned,
  claims: SubmittedClaims | undefined,
): Promise<number> {
  if (claims === undefined)
    throw refuse('required', { path: ['claims'], detail: 'is required to restore them' })
  if (!owned.claims_hash.equals(claims.hash()))
    throw refuse('invalid_argument', {
      path: ['claims'],
      detail: 'does not hash to the recorded claims_hash',
    })
  return change(em, UNREDACT({ id, ...claimedColumns(claims) }))
}

/**
 * Deletes the row and inserts a tombstone in the same transaction. The item's place in a block stays, also when a
 * finalization gives it one at this moment, so that every other proof of the block still verifies.
 * @throws not_found, forbidden
 */
export function deleteItem(em: EntityManager, { id, userId }: { id: string; userId: string }): Promise<void> {
  return inTransaction(em, async (tx) => {
    await ownItem(tx, id, userId)
    await change(tx, DELETE({ id }))
  })
}

/**
 * Locks the item's row. An expired item is redacted first, so that no change can restore claims that must no longer
 * be readable.
 * @throws not_found for an unknown item, and equally for one that the caller may not read
 * @throws forbidden for an item that the caller may read but not change
 */
async function ownItem(em: EntityManager, id: string, userId: string): Promise<Owned> {
  const [item] = await rows(em, OWN({ id, userId }))
  if (item === undefined) throw refuse('not_found')
  if (!item.may_change) throw refuse('forbidden', { detail: 'only its owner may change this item' })
  if (!item.expired) return item
  await change(em, REDACT_OVERDUE({ id }))
  return { ...item, redacted: true, expired: false }
}

const OWN = statement(
  { redacted: bool, claims_hash: bytes, may_change: bool, expired: bool },
  ({ id, userId }: { id: string; userId: string }) => sql`
  SELECT redacted_at IS NOT NULL AS redacted, claims_hash, ${changeableItem('items', userId)} AS may_change,
         coalesce(expires_at <= pharos_now(), false) AND redacted_at IS NULL AS expired
    FROM items WHERE id = ${id} AND ${readableItem('items', userId)} FOR UPDATE`,
)

/** The columns that a redaction erases: the claims and everything derived from them. */
const ERASE = sql`claims = NULL, hash = NULL, display_name = NULL, display_description = NULL`

/** The hashes, the tags and the place in the chain stay. */
const REDACT = command(({ id }: { id: string }) =>
  withFact(
    'item.redacted',
    sql`
  UPDATE items SET ${ERASE}, redacted_at = pharos_now(), updated_at = pharos_now() WHERE id = ${id} RETURNING items`,
  ),
)

const REDACT_OVERDUE = command(({ id }: { id: string }) =>
  withFact('item.redacted', redactExpiredWhere(sql`id = ${id}`)),
)

/**
 * Redacts expired items. `redacted_at` is the time of expiry, because readers have seen the item as redacted since
 * then.
 */
const redactExpiredWhere = (condition: Sql): Sql => sql`
  UPDATE items SET ${ERASE}, redacted_at = expires_at, updated_at = greatest(updated_at, expires_at)
   WHERE ${condition} RETURNING items`

interface Restored extends ReturnType<typeof claimedColumns> {
  readonly id: string
}

const UNREDACT = command(({ id, claims, hash, displayName, displayDescription }: Restored) =>
  withFact(
    'item.unredacted',
    sql`
  UPDATE items SET claims = ${claims}, hash = ${hash}, display_name = ${displayName},
                   display_description = ${displayDescription}, redacted_at = NULL,
                   expires_at = CASE WHEN expires_at <= pharos_now() THEN NULL ELSE expires_at END,
                   updated_at = pharos_now()
   WHERE id = ${id} RETURNING items`,
  ),
)

/** Updates the rows and records their facts in one statement. */
const withFact = (kind: FactKind, update: Sql): Sql => sql`
  WITH changed AS (${update})
  INSERT INTO facts (kind, subject_id, creator_id, team_id, visibility, data)
  SELECT ${sql.lit(kind)}, (items).id, (items).creator_id, (items).team_id, (items).visibility, item_snapshot(items)
    FROM changed`

const DELETE = command(
  ({ id }: { id: string }) => sql`
  WITH gone AS (DELETE FROM items WHERE id = ${id} RETURNING *),
  buried AS (INSERT INTO item_tombstones (id, item_hash) SELECT id, item_hash FROM gone)
  INSERT INTO facts (kind, subject_id, creator_id, team_id, visibility, data)
  SELECT 'item.deleted', id, creator_id, team_id, visibility, jsonb_build_object('id', id) FROM gone`,
)

/**
 * Redacts at most `limit` expired items, records a fact for each, and returns how many it redacted. Call it again
 * while it returns `limit`. Any number of servers may call it at once, because rows that another transaction has
 * locked are skipped. Index: items_expiring.
 */
export const redactExpired = boundedChange(({ limit }) =>
  withFact(
    'item.redacted',
    redactExpiredWhere(sql`id = ANY(ARRAY(
      SELECT id FROM items WHERE expires_at <= pharos_now() AND redacted_at IS NULL
       ORDER BY expires_at LIMIT ${limit} FOR UPDATE SKIP LOCKED))`),
  ),
)
