// The two SQL conditions that decide who may read and who may change an item. Every surface uses them.
import { sql } from 'kysely'
import type { Sql } from '../../store/statement.ts'

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
