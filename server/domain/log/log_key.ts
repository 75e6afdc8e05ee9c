// The keys that sign the public log, stored sealed. One of them is in use; the others are retired and stay in the
// history.

import { createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import type { EntityManager } from '@mikro-orm/postgresql'
import { SIGNATURE_TYPES, type VerifierKey, verifierKey } from '../../../shared/log/verifier_key.ts'
import type { MasterKey } from '../../kernel/sealed.ts'
import { db } from '../../store/run.ts'
import { openSealed, seal } from '../../store/seal.ts'
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
export async function logKeyInUse({ em }: { em: EntityManager }): Promise<LogKey | undefined> {
  const found = await db(em)
    .selectFrom('log_keys')
    .select(['number', 'origin', 'public_key'])
    .where('retired_at', 'is', null)
    .executeTakeFirst()
  return found === undefined ? undefined : logKeyOf(found)
}

/** The origin that the first start fixed. Index: log_keys_pkey. */
export async function firstOrigin({ em }: { em: EntityManager }): Promise<string> {
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
