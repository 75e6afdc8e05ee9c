// The keys that sign the public log, stored sealed. One of them is in use; the others are retired and stay in the
// history.
import { createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import {
  SIGNATURE_TYPES,
  type VerifierKey,
  verifierKey,
  writeVerifierKey,
} from '../../../shared/log/verifier_key.ts'
import type { MasterKey } from '../../kernel/sealed.ts'
import { bytes, int4, nullable, text } from '../../store/columns.ts'
import { db, rows } from '../../store/run.ts'
import { openSealed, seal } from '../../store/seal.ts'
import { statement } from '../../store/statement.ts'
import { privateKeyFromSeed } from '../ledger/signing_key.ts'

export interface LogKey {
  /** From 1. The origin of a later one is that of the first with its number. */
  readonly number: number
  /** Its name is the origin. */
  readonly verifier: VerifierKey
}

export const logKeyOf = (row: {
  readonly number: number
  readonly origin: string
  readonly public_key: Uint8Array
}): LogKey => ({
  number: row.number,
  verifier: verifierKey(row.origin, SIGNATURE_TYPES.ed25519, row.public_key),
})

/** Makes and stores a key. There must be none in use. @throws master_key_changed */
export async function makeLogKey(
  { em, masterKey }: { em: EntityManager; masterKey: MasterKey },
  { number, origin }: { number: number; origin: string },
): Promise<LogKey> {
  const { privateKey } = generateKeyPairSync('ed25519')
  const seed = Buffer.from(privateKey.export({ format: 'jwk' }).d ?? '', 'base64url')
  const public_key = rawPublicKey(privateKey)
  const sealed_seed = await seal({ em, masterKey }, 'log_keys.sealed_seed', number, seed)
  await db(em).insertInto('log_keys').values({ number, origin, public_key, sealed_seed }).execute()
  return logKeyOf({ number, origin, public_key })
}

/** @throws master_key_changed, SealBroken */
export async function openLogKey(
  { em, masterKey }: { em: EntityManager; masterKey: MasterKey },
  number: number,
): Promise<KeyObject> {
  const { sealed_seed } = await db(em)
    .selectFrom('log_keys')
    .select('sealed_seed')
    .where('number', '=', number)
    .executeTakeFirstOrThrow()
  return privateKeyFromSeed(await openSealed({ em, masterKey }, 'log_keys.sealed_seed', number, sealed_seed))
}

/** The key in use. Undefined before the first start of a version with a log. Index: log_keys_in_use. */
export async function logKeyInUse(em: EntityManager): Promise<LogKey | undefined> {
  const found = await db(em)
    .selectFrom('log_keys')
    .select(['number', 'origin', 'public_key'])
    .where('retired_at', 'is', null)
    .executeTakeFirst()
  return found === undefined ? undefined : logKeyOf(found)
}

/** The origin that the first start fixed. Index: log_keys_pkey. */
export async function firstOrigin(em: EntityManager): Promise<string> {
  const { origin } = await db(em)
    .selectFrom('log_keys')
    .select('origin')
    .orderBy('number')
    .limit(1)
    .executeTakeFirstOrThrow()
  return origin
}

const rawPublicKey = (privateKey: KeyObject): Buffer =>
  Buffer.from(createPublicKey(privateKey).export({ format: 'jwk' }).x ?? '', 'base64url')

export interface RetiredOrigin {
  readonly origin: string
  /** The verifier key. */
  readonly key: string
  /** The note of the checkpoint from which the ledger could not go on. Null when there was none. */
  readonly checkpoint: string | null
  /** When, in ISO 8601. */
  readonly retired_at: string
  readonly reason: string
}

/** An operator retires each one by hand. */
const MOST_ROWS = 1_000

/** The oldest first. */
export const retiredOrigins = async (em: EntityManager): Promise<RetiredOrigin[]> =>
  (await rows(em, RETIRED)).map((row) => ({
    origin: row.origin,
    key: writeVerifierKey(logKeyOf(row).verifier),
    checkpoint: row.last_checkpoint,
    retired_at: row.retired_at,
    reason: row.reason,
  }))

/** Index: log_keys_pkey. */
const RETIRED = statement(
  {
    number: int4,
    origin: text,
    public_key: bytes,
    last_checkpoint: nullable(text),
    retired_at: text,
    reason: text,
  },
  sql`
  SELECT number, origin, public_key, last_checkpoint, iso_time(retired_at) AS retired_at, reason
    FROM log_keys WHERE retired_at IS NOT NULL ORDER BY number LIMIT ${sql.lit(MOST_ROWS)}`,
)
