// Who may read and who may change an item: the two predicates, as SQL, that every surface uses.

/**
 * True for the creator, for members of the item's team when it is visible to the team, for whoever keeps it, and for
 * any caller when public.
 * @param item alias of the items row (or of a fact, which has the same three columns)
 * @param user the bind parameter or column that holds the caller's user id
 */
export const readableItem = (item: string, user: string): string => `(
  ${item}.creator_id = ${user}
  OR ${item}.visibility = 'public'
  OR (${item}.visibility = 'team' AND EXISTS (
       SELECT 1 FROM memberships reader WHERE reader.user_id = ${user} AND reader.team_id = ${item}.team_id))
  OR ${keepsItem(item, user)})`

/** True for the creator; in a team that retains ownership, for whoever keeps the item instead. */
export const changeableItem = (item: string, user: string): string => `(
  CASE (SELECT ownership_model FROM teams WHERE teams.id = ${item}.team_id)
    WHEN 'team_retains' THEN ${keepsItem(item, user)}
    ELSE ${item}.creator_id = ${user}
  END)`

/** True for owners and admins of a team that retains ownership: its items are theirs to read and to change. */
const keepsItem = (item: string, user: string): string => `EXISTS (
  SELECT 1 FROM memberships keeper JOIN teams kept ON kept.id = keeper.team_id
   WHERE keeper.user_id = ${user} AND keeper.team_id = ${item}.team_id AND keeper.role IN ('owner', 'admin')
     AND kept.ownership_model = 'team_retains')`
