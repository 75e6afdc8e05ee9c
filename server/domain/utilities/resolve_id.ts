// resolve-id: what an opaque id refers to, as far as the caller may see it.
import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { normalizeUlid, normalizeUuid7 } from '../../../shared/proof/ids.ts'
import { attribute } from '../../contract/attribute.ts'
import { listMember, resultOf, textResult, truthMember, wordMember } from '../../contract/operation.ts'
import { int4, nullable, oneOf, text } from '../../store/columns.ts'
import { TABLES, VIEWS } from '../../store/database.ts'
import { presentColumn, type RowFrom, rows, statement } from '../../store/statement.ts'
import { readableItem } from '../ledger/item.ts'
import { anyText, invalid, readAction } from './read_action.ts'

/**
 * There are no matches for an id that does not exist, and none for one that the caller may not see, so that both look
 * alike. `verifiable` is a property of the kind. It does not say whether a proof exists now.
 */
export async function resolveId(
  em: EntityManager,
  { userId }: { readonly userId: string },
  { id }: { readonly id: string },
) {
  const ulid = normalizeUlid(id)
  if (ulid !== undefined) {
    const matches = (await rows(em, ITEM({ id: ulid, userId }))).map(itemMatch)
    return { id, normalized_id: ulid, id_format: 'ulid' as const, matches }
  }
  const uuid = normalizeUuid7(id)
  if (uuid !== undefined) {
    const matches = (await rows(em, BLOCK_OBSERVATION_OR_TEAM({ id: uuid, userId }))).map(uuidMatch)
    return { id, normalized_id: uuid, id_format: 'uuidv7' as const, matches }
  }
  return invalid('id must be a 26-character ULID or a 36-character UUIDv7')
}

/** By primary key, in any of the caller's teams. */
const ITEM = statement(
  { state: VIEWS.shown_items.state, visibility: TABLES.items.visibility, committed_at: nullable(text) },
  ({ id, userId }: { id: string; userId: string }) => sql`
  SELECT i.state, i.visibility, iso_time(i.committed_at) AS committed_at
    FROM shown_items i WHERE i.id = ${id} AND ${readableItem('i', userId)}`,
)

const itemMatch = (summary: RowFrom<typeof ITEM>) => ({
  kind: 'item' as const,
  verifiable: true,
  proof_type: 'item',
  also_verifiable_as: [],
  summary,
})

/** Three primary keys in one statement. Every row in `blocks` is finalized. A block under construction has no row. */
const BLOCK_OBSERVATION_OR_TEAM = statement(
  {
    kind: oneOf('block', 'entropy_observation', 'team'),
    height: nullable(int4),
    block_hash: nullable(text),
    state: nullable(text),
    source: nullable(TABLES.entropy_observations.source),
    captured_at: nullable(text),
    name: nullable(text),
  },
  ({ id, userId }: { id: string; userId: string }) => sql`
  SELECT 'block' AS kind, b.height, encode(b.block_hash, 'hex') AS block_hash, b.state,
         NULL AS source, NULL AS captured_at, NULL AS name
    FROM blocks b WHERE b.id = ${id}
  UNION ALL
  SELECT 'entropy_observation', NULL, NULL, NULL, o.source, iso_time(o.inserted_at), NULL
    FROM entropy_observations o WHERE o.id = ${id}
  UNION ALL
  SELECT 'team', NULL, NULL, NULL, NULL, NULL, t.name
    FROM teams t JOIN memberships m ON m.team_id = t.id AND m.user_id = ${userId} WHERE t.id = ${id}`,
)

function uuidMatch(row: RowFrom<typeof BLOCK_OBSERVATION_OR_TEAM>) {
  switch (row.kind) {
    case 'block':
      return {
        kind: 'block' as const,
        verifiable: true,
        proof_type: 'block',
        also_verifiable_as: ['beacon'],
        summary: {
          height: presentColumn(row.height),
          block_hash: presentColumn(row.block_hash),
          state: presentColumn(row.state),
        },
      }
    case 'entropy_observation':
      return {
        kind: 'entropy_observation' as const,
        verifiable: true,
        proof_type: presentColumn(row.source),
        also_verifiable_as: [],
        summary: { source: presentColumn(row.source), captured_at: presentColumn(row.captured_at) },
      }
    case 'team':
      return {
        kind: 'team' as const,
        verifiable: false,
        proof_type: null,
        also_verifiable_as: [],
        summary: { name: presentColumn(row.name) },
      }
    default:
      return row.kind satisfies never
  }
}

export const resolveIdUtility = readAction({
  name: 'resolveId',
  tool: {
    name: 'resolve_id',
    title: 'Tell what an id stands for',
    doc: 'What an opaque id stands for among what the caller may read, and which `type` generate_proof takes for it. Use it when you do not know what an id is of.',
  },
  http: 'POST /utilities/resolve-id',
  access: 'read',
  doc: 'What an opaque id stands for among what the caller may read, and which type to ask proofs of it with.',
  accepts: {
    id: attribute(anyText, 'A ULID of 26 or a UUIDv7 of 36 characters, in either case.', { required: true }),
  },
  result: resultOf({
    id: textResult('As given.'),
    normalized_id: textResult('In its canonical spelling.'),
    id_format: wordMember(['ulid', 'uuidv7']),
    matches: listMember(
      resultOf(
        {
          kind: wordMember(['item', 'block', 'entropy_observation', 'team']),
          verifiable: truthMember('Whether things of this kind can be proven at all.'),
          proof_type: {
            type: ['string', 'null'],
            description: 'The type to generate a proof with; null when not verifiable.',
          },
          also_verifiable_as: { type: 'array', items: { type: 'string' }, maxItems: 4 },
          summary: {
            type: 'object',
            maxProperties: 4,
            description: 'A few members that depend on the kind.',
          },
        },
        'ResolvedId',
      ),
      // At most one candidate of each kind.
      4,
      'Empty when there is none, or none that the caller may read.',
    ),
  }),
  example: {
    data: { id: '01A2CE8E-9320-7630-BB7F-73EDC8868B1D' },
    result: {
      id: '01A2CE8E-9320-7630-BB7F-73EDC8868B1D',
      normalized_id: '01a2ce8e-9320-7630-bb7f-73edc8868b1d',
      id_format: 'uuidv7',
      matches: [
        {
          kind: 'block',
          verifiable: true,
          proof_type: 'block',
          also_verifiable_as: ['beacon'],
          summary: {
            height: 4711,
            block_hash: '77b87c8129f32320a030b0628d8e30cca99e23e3b117b13097d619c30c0b662a',
            state: 'committed',
          },
        },
      ],
    },
  },
  run: ({ em, caller }, given) => resolveId(em, caller, given),
})
