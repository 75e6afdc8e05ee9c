// Reads the items of a new block for this server's listeners: a bounded sample in full, and the number of the others.
import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { int4, jsonObject, nullable, text } from '../../store/columns.ts'
import { rows } from '../../store/run.ts'
import { type RowFrom, statement } from '../../store/statement.ts'

/**
 * Items of one team with the same readers: either the whole team, or one creator and the members
 * who keep the team's items.
 */
export interface CommittedGroup {
  readonly teamId: string
  /** Null when the whole team may read them. Empty when their creators do not listen. */
  readonly creatorId: string | null
  readonly total: number
  /** In the order of their leaves; never empty. */
  readonly items: readonly { readonly at: string; readonly data: Readonly<Record<string, unknown>> }[]
}

/** The teams and users whose items are needed, see `audience.ts`. */
interface Listening {
  readonly teamIds: readonly string[]
  readonly keptTeamIds: readonly string[]
  readonly userIds: readonly string[]
}

type CommittedRow = RowFrom<typeof COMMITTED>

/**
 * The most items of one group that are sent one by one, and the most of all groups together.
 * Each group gets at least one.
 */
const PER_GROUP = 200
const LOADED = 5_000

/**
 * Reads the leaves of the block once, by index block_leaves_pkey, independent of the number of teams. It fetches only the
 * rows that are sent in full. A block without items of these teams returns an empty list.
 */
export async function committedItems(
  em: EntityManager,
  blockId: string,
  { teamIds, keptTeamIds, userIds }: Listening,
): Promise<CommittedGroup[]> {
  const groups = teamIds.length + keptTeamIds.length + userIds.length
  const perGroup = Math.max(1, Math.min(PER_GROUP, Math.floor(LOADED / groups)))
  const found = await rows(em, COMMITTED({ blockId, teamIds, userIds, perGroup, keptTeamIds }))
  return groupsOf(found)
}

function groupsOf(found: readonly CommittedRow[]): CommittedGroup[] {
  const groups = new Map<string, CommittedRow[]>()
  for (const item of found) {
    const key = `${item.team_id} ${item.creator_id ?? 'the team'}`
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [item])
    else group.push(item)
  }
  return [...groups.values()].flatMap((items) => {
    const [first] = items
    if (first === undefined) return []
    const shown = items.map(({ at, data }) => ({ at, data }))
    return [{ teamId: first.team_id, creatorId: first.creator_id, total: first.total, items: shown }]
  })
}

const COMMITTED = statement(
  { team_id: text, creator_id: nullable(text), total: int4, at: text, data: jsonObject },
  ({
    blockId,
    teamIds,
    userIds,
    perGroup,
    keptTeamIds,
  }: Listening & { blockId: string; perGroup: number }) => sql`
  WITH readable AS (
    SELECT id, team_id, creator_id, count(*) OVER readers AS total,
           row_number() OVER (readers ORDER BY id) AS place
      FROM (SELECT id, team_id,
                   CASE WHEN visibility <> 'private' THEN NULL WHEN creator_id = ANY(${userIds}::text[]) THEN creator_id
                        ELSE '' END AS creator_id
              FROM block_leaves l JOIN items ON items.id = l.subject_id || ''
             WHERE l.height = (SELECT height FROM blocks WHERE blocks.id = ${blockId})
               AND l.subject_id >= (SELECT first_item_id FROM blocks WHERE blocks.id = ${blockId})
               AND l.subject_id <= (SELECT last_item_id FROM blocks WHERE blocks.id = ${blockId})
               AND team_id = ANY(${teamIds}::text[])
               AND (visibility IN ('team', 'public') OR creator_id = ANY(${userIds}::text[]) OR team_id = ANY(${keptTeamIds}::text[]))) leaves
    WINDOW readers AS (PARTITION BY team_id, creator_id)
  )
  SELECT r.team_id, r.creator_id, r.total::int, iso_time(b.finalized_at) AS at,
         item_event(i, b.id, b.finalized_at) AS data
    FROM readable r JOIN items i ON i.id = r.id CROSS JOIN blocks b
   WHERE r.place <= ${perGroup} AND b.id = ${blockId}
   ORDER BY r.id`,
)
