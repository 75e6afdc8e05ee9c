// resolve-id: what an opaque id refers to, as far as the caller may see it.
import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { normalizeUlid, normalizeUuid7 } from '../../../shared/proof/ids.ts'
import { attribute } from '../../contract/attribute.ts'
import { listMember, resultOf, textResult, truthMember, wordMember } from '../../contract/operation.ts'
import { nullable, oneOf, text } from '../../store/columns.ts'
import { type RowFrom, rows, statement } from '../../store/statement.ts'
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
  const normalized_id = ulid ?? normalizeUuid7(id)
  if (normalized_id === undefined) return invalid('id must be a 26-character ULID or a 36-character UUIDv7')
  const matches = (await rows(em, MATCHES({ id: normalized_id, userId }))).map(matchOf)
  return {
    id,
    normalized_id,
    id_format: ulid === undefined ? ('uuidv7' as const) : ('ulid' as const),
    matches,
  }
}

/**
 * Four primary keys in one statement. Items are those in any of the caller's teams. Every row in `blocks` is finalized. A
 * block under construction has no row. A summary is the text of a JSON object, because `jsonb` would change the order of
 * its members.
 */
const MATCHES = statement(
  {
    kind: oneOf('item', 'block', 'entropy_observation', 'team'),
    proof_type: nullable(text),
    summary: text,
  },
  ({ id, userId }: { id: string; userId: string }) => sql`
  SELECT 'item' AS kind, 'item' AS proof_type,
         json_build_object('state', i.state, 'visibility', i.visibility,
                           'committed_at', iso_time(i.committed_at))::text AS summary
    FROM shown_items i WHERE i.id = ${id} AND ${readableItem('i', userId)}
  UNION ALL
  SELECT 'block', 'block',
         json_build_object('height', b.height, 'block_hash', encode(b.block_hash, 'hex'), 'state', b.state)::text
    FROM blocks b WHERE b.id = ${id}
  UNION ALL
  SELECT 'entropy_observation', o.source,
         json_build_object('source', o.source, 'captured_at', iso_time(o.inserted_at))::text
    FROM entropy_observations o WHERE o.id = ${id}
  UNION ALL
  SELECT 'team', NULL, json_build_object('name', t.name)::text
    FROM teams t JOIN memberships m ON m.team_id = t.id AND m.user_id = ${userId} WHERE t.id = ${id}`,
)

/** What has no type of proof cannot be proven. */
function matchOf({ kind, proof_type, summary: told }: RowFrom<typeof MATCHES>) {
  const summary: Readonly<Record<string, unknown>> = JSON.parse(told)
  const also_verifiable_as = kind === 'block' ? ['beacon'] : []
  return { kind, verifiable: proof_type !== null, proof_type, also_verifiable_as, summary }
}

export const resolveIdUtility = readAction({
  name: 'resolveId',
  tool: {
    name: 'resolve_id',
    title: 'Tell what an id stands for',
    doc: 'What an opaque id stands for among what the caller may read, and which `type` generate_proof takes for it. Use it when you do not know what an id is of.',
  },
  http: 'POST /utilities/resolve-id',
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
