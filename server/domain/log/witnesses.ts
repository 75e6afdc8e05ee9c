// The witnesses of our own log: the operator's policy, whom to ask, what each has seen, and the cosignatures of a
// checkpoint; and which checkpoint may be shown: the newest one, or with a policy the newest one that meets its quorum.
import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { meetsQuorum, type PolicyWitness, readPolicy, writePolicy } from '../../../shared/log/log_policy.ts'
import { writeNote } from '../../../shared/log/signed_note.ts'
import { isSameKey, keyLabel, type VerifierKey, writeVerifierKey } from '../../../shared/log/verifier_key.ts'
import { bytesEqual } from '../../../shared/proof/bytes.ts'
import { bytes, int4, nullable, text } from '../../store/columns.ts'
import { type Columnwise, columnwise } from '../../store/columnwise.ts'
import { change, command, type RowFrom, rows, statement } from '../../store/statement.ts'
import { checkpointAt, noteOf, type StoredCheckpoint } from './log_rows.ts'

export type Witnessing = ReturnType<typeof readWitnessing>

export type AskedWitness = Witnessing['asked'][number]

export type Witness = ReturnType<typeof witnessOf>

/** @throws RangeError with the reason, when the policy cannot be used for the log with this key */
export function readWitnessing(bytes: Uint8Array, logKey: VerifierKey) {
  const policy = readPolicy(bytes)
  if (!policy.logs.some(({ key }) => isSameKey(key, logKey) && bytesEqual(key.publicKey, logKey.publicKey)))
    throw new RangeError(`the policy has no line for our own log: log ${writeVerifierKey(logKey)}`)
  const reachable = policy.witnesses.filter(({ url }) => url !== undefined)
  const asked = Map.groupBy(reachable, ({ url = '' }) => prefixOf(url))
  if (!meetsQuorum(policy, new Set(reachable.map(({ name }) => name))))
    throw new RangeError('the witnesses that have an address are too few for the quorum')
  return {
    /** The key of our own log for which it was read. */
    logKey,
    policy,
    witnesses: policy.witnesses.map(witnessOf),
    /**
     * Those that can be asked, by the prefix of their addresses, without a slash at the end. One address may answer for
     * several keys.
     */
    asked: [...asked].map(([prefix, several]) => ({ prefix, witnesses: several.map(witnessOf) })),
  }
}

/** The policy as we show it: our own log, and no addresses of witnesses, because they may be internal ones. */
export function publishedPolicy(
  witnessing: Witnessing | undefined,
  log: { readonly key: VerifierKey; readonly url: string },
): Uint8Array {
  const { witnesses = [], groups = [], quorum } = witnessing?.policy ?? {}
  return writePolicy({
    logs: [log],
    witnesses: witnesses.map(({ name, key }) => ({ name, key })),
    groups,
    quorum,
  })
}

/** The name is that in the policy. The label is `name+id` of the key. */
const witnessOf = ({ name, key }: PolicyWitness) => ({ name, key, label: keyLabel(key) })

function prefixOf(address: string): string {
  const url = URL.parse(address)
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:'))
    throw new RangeError('the address of a witness is not an http or https address')
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '')
    throw new RangeError('the address of a witness has a user, a password, a query or a fragment')
  return url.href.replace(/\/+$/, '')
}

/** All witnesses that were ever asked about a log. Index: witnesses_pkey. */
export const witnessRows = (
  em: EntityManager,
  log: number,
  labels: readonly string[],
): Promise<readonly RowFrom<typeof WITNESSES>[]> => rows(em, WITNESSES({ log, labels }))

/** What came of asking one witness. */
export interface WitnessResult {
  readonly label: string
  readonly cosignature: Uint8Array | undefined
  /** Why there is none. */
  readonly trouble:
    | 'unreachable'
    | 'too_slow'
    | 'unknown_log'
    | 'refused'
    | 'invalid_answer'
    | 'claims_larger_size'
    | 'saw_another_tree'
  readonly seenSize: number | undefined
}

/** May be repeated. A result without a cosignature does not take back one with it. */
export async function recordResults(
  em: EntityManager,
  { log, size }: { readonly log: number; readonly size: number },
  results: readonly WitnessResult[],
): Promise<void> {
  const columns = columnwise(results, 'label', 'cosignature', 'trouble', 'seenSize')
  if (results.length > 0) await change(em, RECORD({ log, size, ...columns }))
}

/** Deletes the cosignatures of all sizes but these. */
export const keepCosignatures = (em: EntityManager, log: number, sizes: readonly number[]): Promise<number> =>
  change(em, KEEP({ log, sizes }))

/** More rows than two sizes with the most witnesses can have. */
const MOST_ROWS = 256

const WITNESSES = statement(
  {
    key: text,
    seen_size: int4,
    cosigned_at: nullable(text),
    missing_since: nullable(text),
    trouble: nullable(text),
  },
  ({ log, labels }: { log: number; labels: readonly string[] }) => sql`
  SELECT key, seen_size, iso_time(cosigned_at) AS cosigned_at, iso_time(missing_since) AS missing_since, trouble
    FROM witnesses WHERE log = ${log} AND key = ANY (${labels}::text[])`,
)

/** Cosignatures of the newest sizes that have any, the newest first. Index: witness_cosignatures_pkey. */
const COSIGNATURES = statement(
  { size: int4, key: text, cosignature: bytes },
  ({ log }: { log: number }) => sql`
  SELECT size, key, cosignature FROM witness_cosignatures WHERE log = ${log}
   ORDER BY size DESC, key LIMIT ${sql.lit(MOST_ROWS)}`,
)

const RECORD = command(
  (of: Columnwise<WitnessResult> & { log: number; size: number }) => sql`
  WITH result AS MATERIALIZED (
    SELECT key, cosignature, CASE WHEN cosignature IS NULL THEN why END AS trouble, seen
      FROM unnest(${of.label}::text[], ${of.cosignature}::bytea[], ${of.trouble}::text[], ${of.seenSize}::int[])
                  AS r (key, cosignature, why, seen)),
  added AS (
    INSERT INTO witness_cosignatures (log, size, key, cosignature)
    SELECT ${of.log}::int, ${of.size}::int, key, cosignature FROM result WHERE cosignature IS NOT NULL
    ON CONFLICT DO NOTHING)
  INSERT INTO witnesses AS w (log, key, seen_size, cosigned_at, missing_since, trouble)
  SELECT ${of.log}::int, key, coalesce(seen, 0), CASE WHEN trouble IS NULL THEN pharos_now() END,
         CASE WHEN trouble IS NOT NULL THEN pharos_now() END, trouble
    FROM result
  ON CONFLICT (log, key) DO UPDATE
     SET seen_size = coalesce(nullif(EXCLUDED.seen_size, 0), w.seen_size),
         cosigned_at = coalesce(EXCLUDED.cosigned_at, w.cosigned_at),
         missing_since = CASE WHEN EXCLUDED.trouble IS NOT NULL THEN coalesce(w.missing_since, EXCLUDED.missing_since) END,
         trouble = EXCLUDED.trouble`,
)

const KEEP = command(
  ({ log, sizes }: { log: number; sizes: readonly number[] }) =>
    sql`DELETE FROM witness_cosignatures WHERE log = ${log} AND size <> ALL (${sizes}::int[])`,
)

/** In the order of the policy. Makes one statement. */
export async function witnessStandings(em: EntityManager, { witnesses }: Witnessing, log: number) {
  const labels = witnesses.map(({ label }) => label)
  const found = await witnessRows(em, log, labels)
  return witnesses.map(({ label }) => {
    const row = found.find(({ key }) => key === label)
    return {
      witness: label,
      /** The last time that it cosigned. ISO 8601, null before the first time. */
      cosigned_at: row?.cosigned_at ?? null,
      /** Since when it has not cosigned what it was offered. Null when it cosigned the last time. */
      missing_since: row?.missing_since ?? null,
      /** Why: one word of a closed set. */
      trouble: row?.trouble ?? null,
    }
  })
}

/** Verified cosignatures of one size, by the label of their witness. */
export interface Cosigned {
  readonly size: number
  readonly cosignatures: ReadonlyMap<string, Uint8Array>
}

/** By size, the largest first. */
export async function cosignedSizes(em: EntityManager, log: number): Promise<readonly Cosigned[]> {
  const sizes = Map.groupBy(await rows(em, COSIGNATURES({ log })), ({ size }) => size)
  return [...sizes].map(([size, signed]) => ({
    size,
    cosignatures: new Map(signed.map(({ key, cosignature }) => [key, cosignature])),
  }))
}

export function isEnough({ policy, witnesses }: Witnessing, { cosignatures }: Cosigned): boolean {
  const names = witnesses.filter(({ label }) => cosignatures.has(label)).map(({ name }) => name)
  return meetsQuorum(policy, new Set(names))
}

/**
 * The newest checkpoint that the policy allows to show, with its cosignatures. Undefined before there is one.
 * @param newest the newest one that may be shown without a policy
 */
export async function witnessedCheckpoint(
  em: EntityManager,
  witnessing: Witnessing,
  newest: StoredCheckpoint,
) {
  const sizes = await cosignedSizes(em, newest.key.number)
  if (witnessing.policy.quorum === undefined)
    return withCosignatures(
      newest,
      witnessing,
      sizes.find(({ size }) => size === newest.size),
    )
  const enough = sizes.find((one) => one.size <= newest.size && isEnough(witnessing, one))
  if (enough === undefined) return undefined
  const checkpoint = enough.size === newest.size ? newest : await checkpointAt(em, enough.size)
  return checkpoint && withCosignatures(checkpoint, witnessing, enough)
}

/** The log's signature first, then the cosignatures in the order of the policy. */
function withCosignatures(
  checkpoint: StoredCheckpoint,
  { witnesses }: Witnessing,
  cosigned: Cosigned | undefined,
) {
  const { text, signatures } = noteOf(checkpoint)
  const added = witnesses.flatMap(({ key: { name, id }, label }) => {
    const signature = cosigned?.cosignatures.get(label)
    return signature === undefined ? [] : [{ name, id, signature }]
  })
  return { size: checkpoint.size, note: writeNote({ text, signatures: [...signatures, ...added] }) }
}
