// Switches the signing of an endpoint on and off, and gives it new keys.
import { sql } from 'kysely'
import { refuse } from '../../../kernel/refusal.ts'
import { unlessBroken } from '../../../kernel/sealed.ts'
import { bytes, instant, nullable } from '../../../store/columns.ts'
import { TABLES } from '../../../store/database.ts'
import { refuseIfChanged, type Sealing } from '../../../store/seal.ts'
import { change, command, db, inTransaction, NOW, rows, statement } from '../../../store/statement.ts'
import { type CustomHeaders, openHeaders } from './endpoint.ts'
import {
  type EndpointKey,
  isOfSignature,
  MOST_KEYS,
  makeEndpointKey,
  openSigningKeys,
  publicKeysOf,
  type Signing,
  sealSigningKeys,
  secretOf,
  standingPublicKeys,
  stands,
} from './signing_keys.ts'

/** The key of an endpoint that begins to sign. */
export const firstKeys = (signing: Signing): readonly EndpointKey[] =>
  signing === 'none' ? [] : [makeEndpointKey(signing)]

/** @throws master_key_changed */
export const signingColumns = async (
  sealing: Sealing,
  id: string,
  { signing, keys }: { readonly signing: Signing; readonly keys: readonly EndpointKey[] },
) => ({
  signing,
  sealed_signing_keys: keys.length === 0 ? null : await sealSigningKeys(sealing, id, keys),
  public_keys: JSON.stringify(publicKeysOf(keys)),
  former_until: formerUntil(keys),
})

/** When the last key ends that signs beside the newest. Null when there is none. */
function formerUntil(keys: readonly EndpointKey[]): Date | null {
  const ends = keys.flatMap(({ ends_at }) => (ends_at === null ? [] : Date.parse(ends_at)))
  return ends.length === 0 ? null : new Date(Math.max(...ends))
}

/**
 * The custom headers without those whose names belong to signatures, which an endpoint may have from before. Undefined
 * when it has none of these.
 * @throws required when they do not open; master_key_changed
 */
export async function headersBesideSignature(
  { em, masterKey }: Sealing,
  id: string,
  { names, sealed }: { readonly names: readonly string[]; readonly sealed: Buffer | null },
): Promise<CustomHeaders | undefined> {
  if (sealed === null || !names.some(isOfSignature)) return undefined
  const headers = unlessBroken(() => openHeaders(masterKey, id, sealed))
  if (headers !== undefined) return headers.filter(([name]) => !isOfSignature(name))
  await refuseIfChanged({ em, masterKey })
  throw refuse('required', {
    path: ['custom_headers'],
    detail: 'is required with signing: what is stored cannot be opened, and one of them would be in the way',
  })
}

/** Seconds for which earlier keys sign beside a new one: seven days at most, a day by default. */
export const OVERLAP = { most: 7 * 86_400, usual: 86_400 } as const

/**
 * Makes a new key. Earlier keys sign beside it for `overlap` seconds, or until their end if that comes first. The commit is
 * what counts: whoever does not get the answer rotates again, and receivers still know a key that signs.
 * @throws not_found
 * @throws conflict when the endpoint does not sign, or when too many keys stand beside each other
 * @throws master_key_changed
 */
export function rotateSecret(
  { em, masterKey }: Sealing,
  { id, userId, overlap }: { id: string; userId: string; overlap: number },
) {
  return inTransaction(em, async (tx) => {
    const sealing = { em: tx, masterKey }
    const [known] = await rows(tx, SIGNING({ id, userId }))
    if (known === undefined) throw refuse('not_found')
    const { signing, sealed_signing_keys: sealed, now } = known
    if (signing === 'none' || sealed === null)
      throw refuse('conflict', { detail: 'the endpoint does not sign: switch its signing on first' })
    const until = new Date(now.getTime() + overlap * 1_000)
    const former = (await storedKeys(sealing, id, sealed))
      .filter(stands(now))
      .map((key) => ({ ...key, ends_at: earlier(key.ends_at, until.toISOString()) }))
      .filter(stands(now))
    if (former.length >= MOST_KEYS)
      throw refuse('conflict', {
        detail: `${MOST_KEYS} keys sign beside each other already: with overlap 0 they end at once`,
        meta: { maximum: MOST_KEYS },
      })
    const made = makeEndpointKey(signing)
    const keys = [made, ...former]
    await db(tx)
      .updateTable('webhook_endpoints')
      .set({ ...(await signingColumns(sealing, id, { signing, keys })), updated_at: NOW })
      .where('id', '=', id)
      .execute()
    await change(tx, TELL_ROTATED({ id }))
    return {
      /** Told this once. Undefined for `v1a`. */
      secret: secretOf(made),
      /** Of `v1a`: the newest first, and those that still stand. */
      publicKeys: standingPublicKeys(publicKeysOf(keys), now),
      /** When the last earlier key ends. Null when none signs beside the new one. */
      formerUntil: formerUntil(keys),
    }
  })
}

/** Keys that do not open have never signed under this master key, so a rotation is how an endpoint gets others. */
async function storedKeys(
  { em, masterKey }: Sealing,
  id: string,
  sealed: Buffer,
): Promise<readonly EndpointKey[]> {
  const keys = unlessBroken(() => openSigningKeys(masterKey, id, sealed))
  if (keys === undefined) await refuseIfChanged({ em, masterKey })
  return keys ?? []
}

const earlier = (one: string | null, other: string): string => (one === null || other < one ? other : one)

const SIGNING = statement(
  { signing: TABLES.webhook_endpoints.signing, sealed_signing_keys: nullable(bytes), now: instant },
  ({ id, userId }: { id: string; userId: string }) => sql`
  SELECT signing, sealed_signing_keys, pharos_now() AS now
    FROM webhook_endpoints WHERE id = ${id} AND user_id = ${userId} FOR NO KEY UPDATE`,
)

const TELL_ROTATED = command(
  ({ id }: { id: string }) => sql`
  INSERT INTO facts (kind, subject_id, creator_id, data)
  SELECT 'webhook_endpoint.secret_rotated', e.id, e.user_id, endpoint_snapshot(e)
    FROM webhook_endpoints e WHERE e.id = ${id}`,
)
