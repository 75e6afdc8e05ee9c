// Items as they are stored: tags, the moment at which claims expire, and who may read one; and as they are submitted,
// checked and hashed before any database query.
import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import type { JsonValue } from '../../../shared/proof/json_value.ts'
import { type Problem, problem, refuseAny } from '../../kernel/refusal.ts'
import { RELATIONS } from '../../store/database.ts'
import { legibleRow, type PlainRow, rowReader } from '../../store/row_reader.ts'
import { DATABASE_TIME, db, row, type Sql } from '../../store/statement.ts'
import type { SubmittedClaims } from './claims.ts'

/** An item has at most this many tags, and each has at most this many code points. */
export const TAGS = { items: 20, length: 64 } as const

export const ITEM_STATES = ['created', 'committed', 'redacted'] as const

export const VISIBILITIES = ['private', 'team', 'public'] as const
export type Visibility = (typeof VISIBILITIES)[number]

/**
 * An item as clients see it. `claims` and `metadata` are canonical JSON text. `claims`, `hash` and the display fields
 * are null after a redaction and from `expires_at` on, even if the row has not been erased yet.
 */
export type Item = PlainRow<typeof RELATIONS.shown_items>

const itemOf = rowReader(RELATIONS.shown_items)

/** For lists, see `legibleRow`. */
export const shownItemOf = legibleRow(RELATIONS.shown_items)

/**
 * Returns any item by its id, undefined when there is none. It does not check permissions; the caller must do that.
 */
export async function itemById(em: EntityManager, id: string): Promise<Item | undefined> {
  const found = await db(em).selectFrom('shown_items').selectAll().where('id', '=', id).executeTakeFirst()
  return found === undefined ? undefined : itemOf(found)
}

/**
 * Compares with the database's clock, because that clock also decides when claims are erased. Makes one query, or
 * none when no expiry is given.
 */
export async function expiryJudge(
  em: () => EntityManager,
  expiries: readonly (Date | null | undefined)[],
): Promise<(expiresAt: Date | null | undefined) => Problem[]> {
  if (!expiries.some((at) => at)) return () => []
  const { now_ms } = await row(em(), DATABASE_TIME)
  return (expiresAt) => (expiresAt && expiresAt.getTime() <= now_ms ? [PAST] : [])
}

export const PAST: Problem = Object.freeze(
  problem('invalid_attribute', { path: ['expires_at'], detail: 'lies in the past' }),
)

/**
 * True for the creator, for members of the item's team when its visibility is team, for a keeper of the item (see
 * `keepsItem`), and for every caller when it is public.
 * @param item alias of the items row, or of a fact, which has the same three columns
 * @param user the caller's user id, or the column that contains it
 */
export const readableItem = (item: string, user: string | Sql): Sql => sql`(
  ${sql.ref(`${item}.creator_id`)} = ${user}
  OR ${sql.ref(`${item}.visibility`)} = 'public'
  OR (${sql.ref(`${item}.visibility`)} = 'team' AND EXISTS (
       SELECT 1 FROM memberships reader
        WHERE reader.user_id = ${user} AND reader.team_id = ${sql.ref(`${item}.team_id`)}))
  OR ${keepsItem(item, user)})`

/**
 * True for the creator. In a team that retains ownership it is true for the keepers of the item (see `keepsItem`)
 * instead.
 */
export const changeableItem = (item: string, user: string | Sql): Sql => sql`(
  CASE (SELECT ownership_model FROM teams WHERE teams.id = ${sql.ref(`${item}.team_id`)})
    WHEN 'team_retains' THEN ${keepsItem(item, user)}
    ELSE ${sql.ref(`${item}.creator_id`)} = ${user}
  END)`

/** True for owners and admins of a team that retains ownership. They may read and change the team's items. */
const keepsItem = (item: string, user: string | Sql): Sql => sql`EXISTS (
  SELECT 1 FROM memberships keeper JOIN teams kept ON kept.id = keeper.team_id
   WHERE keeper.user_id = ${user} AND keeper.team_id = ${sql.ref(`${item}.team_id`)}
     AND keeper.role IN ('owner', 'admin') AND kept.ownership_model = 'team_retains')`

interface Submission {
  readonly claims: SubmittedClaims
  readonly visibility?: Visibility
  /** Already checked by the kind of the attribute. */
  readonly tags?: readonly string[]
  readonly expiresAt?: Date
  readonly creatorId: string
  readonly teamId: string
}

/** @throws invalid_attribute or required, with every broken rule of the claims and the path of each member */
export function draftItem(submission: Submission) {
  const { claims, visibility, tags, expiresAt, creatorId, teamId, ...others } = submission
  others satisfies Record<string, never>
  refuseAny([...claims.problems()])
  return {
    ...claimedColumns(claims),
    /** Length of `claims` in UTF-8 bytes. */
    claimsBytes: claims.bytes(),
    claimsHash: claims.hash(),
    visibility: visibility ?? ('private' as const),
    tags: tags ?? [],
    expiresAt: expiresAt ?? null,
    creatorId,
    teamId,
  }
}

export type ItemDraft = ReturnType<typeof draftItem>

/** What a redaction erases, and a restoration brings back: the claims, as canonical JSON text, and what is derived from them. */
export const claimedColumns = ({ kept, text }: SubmittedClaims) => ({
  claims: text(),
  hash: textOrNull(kept.hash),
  displayName: textOrNull(kept.name),
  displayDescription: textOrNull(kept.description),
})

export const textOrNull = (value: JsonValue | undefined): string | null =>
  typeof value === 'string' ? value : null
