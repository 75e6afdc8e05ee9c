// How lists find items. A row of an item says neither its state nor its block, and a team has private items of others,
// so most fields are found by ranges of ids, or by indexes that begin with what the caller may read.
import { sql } from 'kysely'
import type { Finds, Found, Wanted } from '../contract/finds.ts'
import type { Range } from '../contract/range.ts'
import { keepsItems, type Tenant } from '../domain/accounts/tenant.ts'
import { VISIBILITIES, type Visibility } from '../domain/ledger/item.ts'
import { and } from '../store/conditions.ts'
import type { Sql } from '../store/statement.ts'
import type { Context } from './context.ts'
import { boundOfBlock, boundOfCommitted, boundOfInserted, inBlocks } from './item_id_bounds.ts'

type By = (wanted: Wanted, context: Context) => Promise<Found | undefined>

/**
 * The rows of a team with one of the values. They may have expired, or may be hidden from the caller. Index:
 * items_<column>, over team, column and id.
 */
const byColumn =
  (column: string): By =>
  async ({ stored, values }, { tenant }) => ({
    ranges: [{ ...items(inTeam(await tenant())), lead: { column, stored, values } }],
    isOrdered: values.length === 1,
    isExact: false,
  })

export const itemFinds: Finds<Context> = {
  all: async (context) => readable(context, await context.tenant()),
  by: {
    claims_hash: byColumn('claims_hash'),
    item_hash: byColumn('item_hash'),
    hash: byColumn('hash'),
    display_name: byColumn('display_name'),
    expires_at: byColumn('expires_at'),
    tags: async ({ stored, values }, { tenant }) => ({
      ranges: [
        {
          table: 'item_tags',
          id: 'item_id',
          where: inTeam(await tenant()),
          lead: { column: 'tag', stored, values },
        },
      ],
      isOrdered: true,
      isExact: false,
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

const exact = (ranges: readonly Range[]): Found => ({ ranges, isOrdered: true, isExact: true })

/** Everything that the caller may read in the team. Index: items_team for a keeper, otherwise those of its parts. */
const readable = (context: Context, tenant: Tenant): Found =>
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
function inState(state: unknown, tenant: Tenant): Found | undefined {
  const kept = and([inTeam(tenant), sql`r.redacted_at IS NULL`])
  switch (state) {
    case 'created':
      return {
        ranges: [items(kept, sql`r.id >= (SELECT min(moment) FROM waiting_moments)`)],
        isOrdered: true,
        isExact: false,
      }
    case 'committed':
      return { ranges: [items(kept, inBlocks(sql`r.id`))], isOrdered: true, isExact: false }
    case 'redacted':
      return {
        ranges: [
          items(inTeam(tenant), sql`r.redacted_at IS NOT NULL`),
          items(kept, sql`r.expires_at IS NOT NULL AND r.expires_at <= pharos_now()`),
        ],
        isOrdered: true,
        isExact: false,
      }
    default:
      return undefined
  }
}
