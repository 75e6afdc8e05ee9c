// What its owner may do to an item after it was recorded: label it, show it, redact it, restore it, delete it.
import type { EntityManager } from '@mikro-orm/postgresql'
import { type Problem, problem, refuse, refuseAny } from '../../kernel/refusal.ts'
import { change, inTransaction, rows } from '../../store/rows.ts'
import { maySubmit, type Role } from '../accounts/role.ts'
import type { SubmittedClaims } from './claims.ts'
import { expiryJudge } from './expiry.ts'
import type { ItemState, Visibility } from './item.ts'
import { textOrNull } from './item_draft.ts'
import { changeableItem, readableItem } from './readable_item.ts'

export interface ItemChange {
  readonly visibility?: Visibility
  readonly tags?: readonly string[]
  /** A team where the caller may write. */
  readonly teamId?: string
  /** In the future; null for never. */
  readonly expiresAt?: Date | null
  /** Whether its claims are to be erased; false restores them and needs them in `claims`. */
  readonly redacted?: boolean
  readonly claims?: SubmittedClaims
}

/** `unchanged`: the item was already so; nothing was written and no fact recorded. */
export type ChangeOutcome = 'changed' | 'unchanged'

interface Owned {
  state: ItemState
  claims_hash: Buffer
  may_change: boolean
  expired: boolean
}

/**
 * Everything that is asked for, or nothing. Labels, visibility, team and expiry leave no fact, because what was
 * recorded stays what it is; redaction and restoration do.
 * @throws not_found, forbidden, invalid_attribute, invalid_argument
 */
export async function updateItem(
  { em }: { em: EntityManager },
  { id, userId }: { id: string; userId: string },
  wanted: ItemChange,
): Promise<ChangeOutcome> {
  return inTransaction(em, async (tx) => {
    const owned = await ownItem(tx, id, userId)
    const outcomes = [await label(tx, id, userId, wanted)]
    if (wanted.redacted === true) outcomes.push(await redact(tx, id, owned))
    if (wanted.redacted === false) outcomes.push(await unredact(tx, id, owned, wanted.claims))
    return outcomes.includes('changed') ? 'changed' : 'unchanged'
  })
}

/** What is wrong with a new team or a new expiry, as far as it does not depend on the item. */
export async function checkItemChange(
  { em }: { em: EntityManager },
  userId: string,
  { teamId, expiresAt }: { readonly teamId?: unknown; readonly expiresAt?: Date | null | undefined },
): Promise<Problem[]> {
  const judge = await expiryJudge(() => em, [expiresAt])
  const [member] =
    teamId === undefined
      ? []
      : await rows<{ role: Role }>(em, 'SELECT role FROM memberships WHERE user_id = $1 AND team_id = $2', [
          userId,
          teamId,
        ])
  const mayMove = teamId === undefined || (member !== undefined && maySubmit(member.role))
  return [...(mayMove ? [] : [NO_TEAM]), ...judge(expiresAt)]
}

const NO_TEAM: Problem = Object.freeze(
  problem('invalid_attribute', { path: ['team_id'], detail: 'is no team where you may write' }),
)

async function label(
  em: EntityManager,
  id: string,
  userId: string,
  { visibility, tags, teamId, expiresAt }: ItemChange,
): Promise<ChangeOutcome> {
  refuseAny(await checkItemChange({ em }, userId, { teamId, expiresAt }))
  const changed = await change(em, LABEL, [
    id,
    visibility ?? null,
    tags ?? null,
    teamId ?? null,
    expiresAt !== undefined,
    expiresAt ?? null,
  ])
  return changed > 0 ? 'changed' : 'unchanged'
}

const LABEL = `
  UPDATE items SET visibility = wanted.visibility, tags = wanted.tags, team_id = wanted.team_id,
                   expires_at = wanted.expires_at, updated_at = pharos_now()
    FROM (SELECT coalesce($2, visibility) AS visibility, coalesce($3::text[], tags) AS tags,
                 coalesce($4, team_id) AS team_id, CASE WHEN $5 THEN $6::timestamptz ELSE expires_at END AS expires_at
            FROM items WHERE id = $1) AS wanted
   WHERE items.id = $1
     AND (items.visibility, items.tags, items.team_id, items.expires_at)
         IS DISTINCT FROM (wanted.visibility, wanted.tags, wanted.team_id, wanted.expires_at)`

/** Erases the claims and everything made from them; hashes, tags and the item's place in the chain stay. */
export const redactItem = (
  collaborators: { em: EntityManager },
  which: { id: string; userId: string },
): Promise<ChangeOutcome> => updateItem(collaborators, which, { redacted: true })

/** Restores claims that hash to the recorded `claims_hash`; any other claims are an `invalid_argument`. */
export const unredactItem = (
  collaborators: { em: EntityManager },
  { claims, ...which }: { id: string; userId: string; claims: SubmittedClaims },
): Promise<ChangeOutcome> => updateItem(collaborators, which, { redacted: false, claims })

async function redact(em: EntityManager, id: string, { state }: Owned): Promise<ChangeOutcome> {
  if (state === 'redacted') return 'unchanged'
  await rows(em, withFact('item.redacted', REDACT), [id])
  return 'changed'
}

async function unredact(
  em: EntityManager,
  id: string,
  owned: Owned,
  claims: SubmittedClaims | undefined,
): Promise<ChangeOutcome> {
  if (owned.state !== 'redacted') return 'unchanged'
  if (claims === undefined)
    throw refuse('required', { path: ['claims'], detail: 'is required to restore them' })
  const { kept } = claims
  if (!owned.claims_hash.equals(claims.hash()))
    throw refuse('invalid_argument', {
      path: ['claims'],
      detail: 'does not hash to the recorded claims_hash',
    })
  await rows(em, withFact('item.unredacted', UNREDACT), [
    id,
    claims.text(),
    textOrNull(kept.hash),
    textOrNull(kept.name),
    textOrNull(kept.description),
  ])
  return 'changed'
}

/**
 * Removes the row for good and leaves a tombstone with its place, so that every other proof of the block still
 * verifies. A finalization that has already streamed the item finds the tombstone instead of the row.
 */
export function deleteItem(
  { em }: { em: EntityManager },
  { id, userId }: { id: string; userId: string },
): Promise<void> {
  return inTransaction(em, async (tx) => {
    await ownItem(tx, id, userId)
    await rows(tx, DELETE, [id])
  })
}

/**
 * Locks the item's row. Unreadable and unknown are the same `not_found`; readable but somebody else's is `forbidden`.
 * One whose time has come is redacted first, so that no change can bring back what nobody may read any more.
 * @throws not_found, forbidden
 */
async function ownItem(em: EntityManager, id: string, userId: string): Promise<Owned> {
  const [item] = await rows<Owned>(
    em,
    `SELECT state, claims_hash, ${changeableItem('items', '$2')} AS may_change,
            coalesce(expires_at <= pharos_now(), false) AND state <> 'redacted' AS expired
       FROM items WHERE id = $1 AND ${readableItem('items', '$2')} FOR UPDATE`,
    [id, userId],
  )
  if (item === undefined) throw refuse('not_found')
  if (!item.may_change) throw refuse('forbidden', { detail: 'only its owner may change this item' })
  if (!item.expired) return item
  await rows(em, withFact('item.redacted', redactExpiredWhere('id = $1')), [id])
  return { ...item, state: 'redacted', expired: false }
}

/** What redaction does to a row: claims and everything made from them leave it. */
const ERASE = `claims = NULL, hash = NULL, display_name = NULL, display_description = NULL, state = 'redacted'`

const REDACT = `
  UPDATE items SET ${ERASE}, redacted_at = pharos_now(), updated_at = pharos_now() WHERE id = $1 RETURNING items`

/** Items that have expired: what is shown of them since that moment stays as it is. */
export const redactExpiredWhere = (condition: string): string => `
  UPDATE items SET ${ERASE}, redacted_at = expires_at, updated_at = greatest(updated_at, expires_at)
   WHERE ${condition} RETURNING items`

const UNREDACT = `
  UPDATE items SET claims = $2, hash = $3, display_name = $4, display_description = $5, redacted_at = NULL,
                   expires_at = CASE WHEN expires_at <= pharos_now() THEN NULL ELSE expires_at END,
                   state = CASE WHEN block_id IS NULL THEN 'created' ELSE 'committed' END, updated_at = pharos_now()
   WHERE id = $1 RETURNING items`

/** The change and the fact of it are one statement. */
export const withFact = (kind: string, update: string): string => `
  WITH changed AS (${update})
  INSERT INTO facts (kind, subject_id, creator_id, team_id, visibility, data)
  SELECT '${kind}', (items).id, (items).creator_id, (items).team_id, (items).visibility, item_snapshot(items)
    FROM changed`

const DELETE = `
  WITH gone AS (DELETE FROM items WHERE id = $1 RETURNING *),
  buried AS (
    INSERT INTO item_tombstones (id, item_hash, block_id, leaf_index)
    SELECT id, item_hash, block_id, leaf_index FROM gone)
  INSERT INTO facts (kind, subject_id, creator_id, team_id, visibility, data)
  SELECT 'item.deleted', id, creator_id, team_id, visibility, jsonb_build_object('id', id) FROM gone`
