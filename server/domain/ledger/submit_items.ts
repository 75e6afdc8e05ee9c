// Records items. Each gets an id, witnesses, hashes and a signature, and is durable before the caller gets an answer.
import { randomBytes } from 'node:crypto'
import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { MAX_CANONICAL_CLAIMS_BYTES } from '../../../shared/proof/claims.ts'
import { canonicalTextHash, itemHash } from '../../../shared/proof/composites.ts'
import { canonicalJson } from '../../../shared/proof/json_value.ts'
import { ulidFrom } from '../../kernel/identifiers.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { change, preparedCommand } from '../../store/statement.ts'
import { type ItemDraft, PAST } from './item.ts'
import type { Signer } from './signing_key.ts'
import { readStanding, type Standing } from './standing.ts'

/** Claims of the maximum size cost one unit. */
const UNIT_BYTES = MAX_CANONICAL_CLAIMS_BYTES
const UNIT_ITEMS = 25

/** @param bytes canonical claims of all items together, in UTF-8 bytes */
export const submissionUnits = (items: number, bytes: number): number =>
  Math.max(1, Math.ceil(items / UNIT_ITEMS), Math.ceil(bytes / UNIT_BYTES))

/** A stored item, with the values of its columns. */
export interface SubmittedItem {
  readonly id: string
  readonly draft: ItemDraft
  readonly metadata: string
  readonly metadataHash: Uint8Array
  readonly itemHash: Uint8Array
  readonly signingKeyId: Buffer
  readonly signature: Buffer
  /** Unix milliseconds, the time in the id. */
  readonly timeMs: number
}

type SubmitOutcome = { readonly item: SubmittedItem } | { readonly refusal: Refusal }

interface SubmitParts {
  readonly em: EntityManager
  readonly signer: Signer
  /** Called when the rows are on their way to the database, and only its answer is missing. */
  readonly onSent?: () => void
}

/**
 * Records the whole group with one query and one INSERT. All items are durable when it returns, unless it runs in a
 * transaction of the caller. A draft that cannot be recorded gets a refusal and does not affect the others. The time
 * in an id is never earlier than the head's, so no item is older than its witness block. It sends no NOTIFY, because
 * NOTIFY takes a database-wide lock at every commit.
 */
export async function submitItems(
  { em, signer, onSent }: SubmitParts,
  drafts: readonly ItemDraft[],
): Promise<SubmitOutcome[]> {
  const standing = await readStanding(em)
  const timeMs = Math.max(standing.nowMs, standing.head.timeMs)
  const metadata = canonicalJson({ witnesses: witnessesOf(standing) })
  const metadataHash = canonicalTextHash('items_metadata', metadata)
  const randomness = randomBytes(RANDOM_BYTES * drafts.length)
  const made = drafts.map((draft, index) => {
    if (draft.expiresAt !== null && draft.expiresAt.getTime() <= standing.nowMs) return undefined
    const id = ulidFrom(timeMs, randomness.subarray(index * RANDOM_BYTES, (index + 1) * RANDOM_BYTES))
    return {
      id,
      draft,
      hash: itemHash({ id, claimsHash: draft.claimsHash, metadataHash, keyId: standing.keyId }),
    }
  })
  const hashes = made.flatMap((one) => (one === undefined ? [] : [one.hash]))
  const signatures = (await signer.signAll(em, standing.keyId, hashes)).values()
  const outcomes = made.map((one): SubmitOutcome => {
    if (one === undefined) return { refusal: expired() }
    const { value: signature } = signatures.next()
    if (signature === undefined) throw new Error('An item has no signature.')
    const { id, draft, hash } = one
    return {
      item: {
        id,
        draft,
        metadata,
        metadataHash,
        itemHash: hash,
        signingKeyId: standing.keyId,
        signature,
        timeMs,
      },
    }
  })
  const accepted = outcomes.flatMap((outcome) => ('item' in outcome ? [insertRow(outcome.item)] : []))
  // Commit point: the statement is its own transaction, or part of the caller's.
  const inserted =
    accepted.length > 0 ? change(em, INSERT_ITEMS({ items: JSON.stringify(accepted) })) : undefined
  onSent?.()
  await inserted
  return outcomes
}

/**
 * Random bytes of one id. They are drawn for the whole group at once, because one draw per item costs more than the
 * bytes.
 */
const RANDOM_BYTES = 10

function witnessesOf(standing: Standing): Record<string, string> {
  const entropy = [...standing.newestEntropy].map(([source, hash]) => [source, hash.toString('hex')])
  return { block: standing.head.hash.toString('hex'), ...Object.fromEntries(entropy) }
}

const expired = (): Refusal => new Refusal([PAST])

function insertRow({ draft, ...item }: SubmittedItem) {
  const { teamId, creatorId, claims, claimsBytes: _, claimsHash, hash, visibility, tags, ...rest } = draft
  const { displayName, displayDescription, expiresAt, ...others } = rest
  others satisfies Record<string, never>
  return {
    id: item.id,
    team_id: teamId,
    creator_id: creatorId,
    claims,
    claims_hash: hex(claimsHash),
    hash,
    metadata: item.metadata,
    metadata_hash: hex(item.metadataHash),
    item_hash: hex(item.itemHash),
    signing_key_id: hex(item.signingKeyId),
    signature: hex(item.signature),
    visibility,
    tags,
    display_name: displayName,
    display_description: displayDescription,
    expires_at: expiresAt,
    at_ms: item.timeMs,
  }
}

const hex = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex')

/**
 * Inserts the items and their facts in one statement. The rows are sent as one JSON text in which the claims are a
 * string.
 */
const INSERT_ITEMS = preparedCommand(
  ({ items }: { items: string }) => sql`
  WITH made AS (
    INSERT INTO items (id, team_id, creator_id, claims, claims_hash, hash, metadata, metadata_hash, item_hash,
                       signing_key_id, signature, visibility, tags, display_name, display_description, expires_at,
                       inserted_at, updated_at)
    SELECT id, team_id, creator_id, claims, decode(claims_hash, 'hex'), hash, metadata, decode(metadata_hash, 'hex'),
           decode(item_hash, 'hex'), decode(signing_key_id, 'hex'), decode(signature, 'hex'), visibility, tags,
           display_name, display_description, expires_at, from_unix_ms(at_ms), from_unix_ms(at_ms)
      FROM json_to_recordset(${items}::json) AS r (
             id text, team_id text, creator_id text, claims text, claims_hash text, hash text, metadata text,
             metadata_hash text, item_hash text, signing_key_id text, signature text, visibility text, tags text[],
             display_name text, display_description text, expires_at timestamptz, at_ms float8)
    RETURNING items
  ), waiting AS (
    INSERT INTO waiting_moments (moment, items) SELECT left((items).id, 10), count(*) FROM made GROUP BY 1
  )
  INSERT INTO facts (kind, subject_id, creator_id, team_id, visibility, data, at)
  SELECT 'item.created', (items).id, (items).creator_id, (items).team_id, (items).visibility, item_event(items, NULL, NULL),
         (items).inserted_at
    FROM made`,
)
