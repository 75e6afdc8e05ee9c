// How lists find items. A row of an item says neither its state nor its block, and a team has private items of others,
// so most fields are found by ranges of ids, or by indexes that begin with what the caller may read.
import { sql } from 'kysely'
import type { BoundOf, Finds, FoundRanges, Range, WantedValues } from '../contract/range.ts'
import type { OperatorName } from '../contract/stored_form.ts'
import { keepsItems, type Tenant } from '../domain/accounts/tenant.ts'
import { VISIBILITIES, type Visibility } from '../domain/ledger/item.ts'
import { ulidFloor } from '../kernel/identifiers.ts'
import { and, type Sql } from '../store/statement.ts'
import type { Context } from './context.ts'

/** Smallest id of a millisecond. Before 1970 there is none, so every id is later. */
const floorOf = (ms: number): Sql => sql`${ms < 0 ? '' : ulidFloor(ms)}::text`

type Condition = (id: Sql) => Sql

/** An operator that is not among them bounds nothing. */
type Bounds = Partial<Record<OperatorName, Condition>>

const from =
  (ms: number): Condition =>
  (id) =>
    sql`${id} >= ${floorOf(ms)}`
const before =
  (ms: number): Condition =>
  (id) =>
    sql`${id} < ${floorOf(ms)}`
const all =
  (...conditions: readonly Condition[]): Condition =>
  (id) =>
    and(conditions.map((one) => one(id)))

/** The time of submission is the time in the id. */
const boundOfInserted: BoundOf = (operator, value) => {
  const ms = Date.parse(String(value))
  const bounds: Bounds = {
    eq: all(from(ms), before(ms + 1)),
    less_than: before(ms),
    less_than_or_equal: before(ms + 1),
    greater_than: from(ms + 1),
    greater_than_or_equal: from(ms),
  }
  return bounds[operator]
}

/** A block keeps the smallest and the largest id of its items. Index: blocks_pkey. */
const boundOfBlock: BoundOf = (operator, value) =>
  operator === 'eq' ? heldBy(sql`id = ${value}`) : undefined

const heldBy =
  (block: Sql): Condition =>
  (id) =>
    sql`(${id} >= (SELECT first_item_id FROM blocks WHERE ${block})
       AND ${id} <= (SELECT last_item_id FROM blocks WHERE ${block}))`

/** No item of these blocks is later than the newest of them. Index: blocks_finalized_at. */
const inBlocks =
  (which: Sql): Condition =>
  (id) =>
    sql`${id} < (SELECT ulid_floor(max(finalized_at) + interval '1 millisecond') FROM blocks WHERE ${which})`

const inAnyBlock = inBlocks(sql`true`)

/**
 * Longer than any transaction that submits items: the database ends each of its few statements, and each pause between
 * them, within ten seconds.
 */
const LONGEST_SUBMISSION = sql.raw(`interval '2 minutes'`)

/**
 * An item is not older than the block before its own, unless its submission was under way when that was made. So what is
 * committed since a time has ids since that time, or is in one of the first blocks after it. What was committed before a time
 * is no later than the newest block before it. Index: blocks_finalized_at.
 */
const boundOfCommitted: BoundOf = (operator, value) => {
  const at = sql`${String(value)}::timestamptz`
  const since =
    (which: Sql): Condition =>
    (id) =>
      sql`${id} >= least(ulid_floor(${at}), (
    SELECT min(first_item_id) FROM blocks
     WHERE ${which} AND finalized_at <= coalesce((
       SELECT min(finalized_at) FROM blocks WHERE finalized_at >= ${at} + ${LONGEST_SUBMISSION}), 'infinity')))`
  const bounds: Bounds = {
    eq: heldBy(sql`finalized_at = ${at}`),
    less_than: inBlocks(sql`finalized_at < ${at}`),
    less_than_or_equal: inBlocks(sql`finalized_at <= ${at}`),
    greater_than: all(since(sql`finalized_at > ${at}`), inAnyBlock),
    greater_than_or_equal: all(since(sql`finalized_at >= ${at}`), inAnyBlock),
  }
  return bounds[operator]
}

type By = (wanted: WantedValues, context: Context) => Promise<FoundRanges | undefined>

/**
 * The rows of a team with one of the values. They may have expired, or may be hidden from the caller. Index:
 * items_<column>, over team, column and id.
 */
const byColumn =
  (column: string): By =>
  async ({ stored, values }, { tenant }) => ({
    ...among({ ...items(inTeam(await tenant())), lead: { column, stored, values } }),
    isOrdered: values.length === 1,
  })

export const itemFinds: Finds<Context> = {
  all: async (context) => readable(context, await context.tenant()),
  by: {
    claims_hash: byColumn('claims_hash'),
    item_hash: byColumn('item_hash'),
    hash: byColumn('hash'),
    display_name: byColumn('display_name'),
    expires_at: byColumn('expires_at'),
    tags: async ({ stored, values }, { tenant }) =>
      among({
        table: 'item_tags',
        id: 'item_id',
        where: inTeam(await tenant()),
        lead: { column: 'tag', stored, values },
      }),
    team_id: async ({ bound }, context) => {
      const tenant = await context.tenant()
      return bound.includes(tenant.id) ? readable(context, tenant) : exact([items(sql`false`)])
    },
    visibility: async ({ bound }, context) => {
      const tenant = await context.tenant()
      return exact(
        VISIBILITIES.filter((one) => bound.includes(one)).map((one) => seenAs(one, context, tenant)),
      )
    },
    creator_id: async ({ bound: [creator, ...others] }, { tenant, caller }) => {
      if (others.length > 0) return undefined
      const team = await tenant()
      const seen = VISIBILITIES.filter(
        (one) => one !== 'private' || creator === caller.userId || keepsItems(team),
      )
      return exact(seen.map((one) => createdBy(creator, one, team)))
    },
    state: async ({ bound: [state, ...others] }, { tenant }) =>
      others.length > 0 ? undefined : inState(state, await tenant()),
  },
  ids: { inserted_at: boundOfInserted, committed_at: boundOfCommitted, block_id: boundOfBlock },
  sameOrderAsId: 'inserted_at',
}

const inTeam = ({ id }: Tenant): Sql => sql`r.team_id = ${id}`

const items = (...where: readonly Sql[]): Range => ({ table: 'items', id: 'id', where: and(where) })

const exact = (ranges: readonly Range[]): FoundRanges => ({ ranges, isOrdered: true, isExact: true })

/** The ranges have rows besides, which are judged one by one. */
const among = (...ranges: readonly Range[]): FoundRanges => ({ ranges, isOrdered: true, isExact: false })

/** Everything that the caller may read in the team. Index: items_team for a keeper, otherwise those of its parts. */
const readable = (context: Context, tenant: Tenant): FoundRanges =>
  exact(
    keepsItems(tenant)
      ? [items(inTeam(tenant))]
      : VISIBILITIES.map((visibility) => seenAs(visibility, context, tenant)),
  )

/** What the caller may read of one visibility. Index: items_visibility; items_creator_id for one's own private items. */
const seenAs = (visibility: Visibility, { caller }: Context, tenant: Tenant): Range =>
  visibility === 'private' && !keepsItems(tenant)
    ? createdBy(caller.userId, visibility, tenant)
    : items(inTeam(tenant), sql`r.visibility = ${visibility}`)

/** Index: items_creator_id. */
const createdBy = (creator: unknown, visibility: Visibility, tenant: Tenant): Range =>
  items(inTeam(tenant), sql`r.creator_id = ${creator}`, sql`r.visibility = ${visibility}`)

/**
 * Indexes: items_kept and items_redacted, and items_expiring_in_team for the few whose claims are still to be erased.
 * Items that wait for a block are in a few moments, after all that have one.
 */
function inState(state: unknown, tenant: Tenant): FoundRanges | undefined {
  const kept = and([inTeam(tenant), sql`r.redacted_at IS NULL`])
  switch (state) {
    case 'created':
      return among(items(kept, sql`r.id >= (SELECT min(moment) FROM waiting_moments)`))
    case 'committed':
      return among(items(kept, inAnyBlock(sql`r.id`)))
    case 'redacted':
      return among(
        items(inTeam(tenant), sql`r.redacted_at IS NOT NULL`),
        items(kept, sql`r.expires_at IS NOT NULL AND r.expires_at <= pharos_now()`),
      )
    default:
      return undefined
  }
}
