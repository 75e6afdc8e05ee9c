// Compares the table of signing keys with the key events of the chain, and checks the keys that are prepared but not
// introduced yet.
import type { EntityManager } from '@mikro-orm/postgresql'
import type { KeyChain } from '../../../../shared/audit/chain_audit.ts'
import {
  agree,
  type Disagreement,
  type Disagreements,
  holds,
  type StoredPlace,
} from '../../../../shared/audit/disagreement.ts'
import { toHex } from '../../../../shared/proof/bytes.ts'
import { keyIdOf, prerotationCommitment } from '../../../../shared/proof/composites.ts'
import { type MasterKey, unlessBroken } from '../../../kernel/sealed.ts'
import { openUnder } from '../../../store/seal.ts'
import { db } from '../../../store/statement.ts'
import { privateKeyFromSeed, rawPublicKey, type SigningKey, signingKeys } from '../signing_key.ts'

/**
 * A key that a block after the audited head introduced counts as not introduced yet. With a master key, every sealed
 * seed is opened too.
 */
export async function* auditKeys(
  { em, masterKey }: { em: EntityManager; masterKey?: MasterKey | undefined },
  keys: KeyChain,
  headHeight: number,
): AsyncGenerator<Disagreement> {
  const stored = await signingKeys(em)
  const isIntroduced = ({ introducedAtHeight }: SigningKey) =>
    introducedAtHeight !== null && introducedAtHeight <= headHeight
  for (const key of stored) yield* agree(placeOf(key), 'key_id', keyIdOf(key.publicKey), key.keyId)
  yield* introduced(keys, stored.filter(isIntroduced))
  yield* toCome(
    keys,
    stored.filter((key) => !isIntroduced(key)),
  )
  if (masterKey !== undefined) yield* seals(em, masterKey)
}

const placeOf = ({ keyId, introducedAtHeight }: SigningKey): StoredPlace => ({
  height: introducedAtHeight,
  subject: keyId.toString('hex'),
})

function* introduced(keys: KeyChain, stored: readonly SigningKey[]): Disagreements {
  for (const key of keys.keys) {
    const place: StoredPlace = { height: key.introducedAtHeight, subject: key.keyId }
    const row = stored.find(({ keyId }) => keyId.toString('hex') === key.keyId)
    yield* holds(
      place,
      'introduced_at_height',
      row !== undefined,
      `a signing key introduced at ${key.introducedAtHeight}`,
    )
    if (row === undefined) continue
    yield* agree(place, 'public_key', key.publicKey, row.publicKey)
    yield* agree(place, 'sequence', key.sequence, row.sequence)
    yield* agree(place, 'rotation', key.type, row.rotation)
    yield* agree(place, 'introduced_at_height', key.introducedAtHeight, row.introducedAtHeight)
  }
  for (const row of stored)
    if (keys.byId(row.keyId) === undefined)
      yield { ...placeOf(row), field: 'introduced_at_height', expected: 'a block with its key event' }
}

const ASKED: ReadonlySet<string | null> = new Set([null, 'rotation', 'emergency_rotation'])

/**
 * The first prepared key must be the one that the last key event committed to. A second one exists only while a
 * rotation to the first waits for its block.
 */
function* toCome(keys: KeyChain, stored: readonly SigningKey[]): Disagreements {
  const last = keys.keys.at(-1)
  const [next, afterNext, ...more] = stored
  if (next === undefined) {
    yield* agree(
      { height: last?.introducedAtHeight ?? null },
      'prerotation_commitment',
      keys.commitment,
      null,
    )
    return
  }
  yield* agree(placeOf(next), 'public_key', keys.commitment, toHex(prerotationCommitment(next.publicKey)))
  for (const [index, key] of stored.entries())
    yield* agree(placeOf(key), 'sequence', (last?.sequence ?? -1) + 1 + index, key.sequence)
  // A rotation happened after the audit began and added keys. The next audit checks them.
  if (stored.some(({ introducedAtHeight }) => introducedAtHeight !== null)) return
  yield* holds(
    placeOf(next),
    'rotation',
    (next.rotation !== null) === (afterNext !== undefined),
    'a key to follow, if asked for',
  )
  yield* holds(placeOf(next), 'rotation', ASKED.has(next.rotation), 'nothing, or the rotation asked for')
  if (afterNext !== undefined) yield* agree(placeOf(afterNext), 'rotation', null, afterNext.rotation)
  for (const key of more) yield { ...placeOf(key), field: 'sequence', expected: 'no further key' }
}

async function* seals(em: EntityManager, masterKey: MasterKey): AsyncGenerator<Disagreement> {
  const stored = await db(em)
    .selectFrom('signing_keys')
    .select(['key_id', 'public_key', 'sealed_seed', 'introduced_at_height as height'])
    .orderBy('sequence')
    .execute()
  for (const { key_id, public_key, sealed_seed, height } of stored) {
    const opened = unlessBroken(() => openedKey(masterKey, key_id, sealed_seed))
    const opens = opened?.equals(public_key) ?? false
    yield* holds(
      { height, subject: key_id.toString('hex') },
      'sealed_seed',
      opens,
      'the seed of its public key',
    )
  }
}

/** The public key of a stored seed. @throws SealBroken */
const openedKey = (masterKey: MasterKey, keyId: Buffer, sealed: Buffer): Buffer =>
  rawPublicKey(privateKeyFromSeed(openUnder(masterKey, 'signing_keys.sealed_seed', keyId, sealed)))
