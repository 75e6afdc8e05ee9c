// The certificates of the authority, as they are stored: a root for each type of key, and below it a new leaf each year;
// or those that an operator brought. The key of a leaf signs for a year, its certificate holds for ten.
import { hash } from 'node:crypto'
import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { bytes, bytesList, float8, nullable } from '../../store/columns.ts'
import { openSealed, type Sealing, seal } from '../../store/seal.ts'
import {
  change,
  command,
  DATABASE_TIME,
  db,
  inTransaction,
  presentColumn,
  type RowFrom,
  row,
  rows,
  statement,
} from '../../store/statement.ts'
import type { KeyType } from './key_type.ts'
import type { Certified } from './make_certificates.ts'
import { openPrivateKey, type StampingCertificate, stampingCertificate } from './stamping_certificate.ts'

const DAY_MS = 86_400_000
const YEAR_MS = 365.25 * DAY_MS

export const CERTIFICATE_LIFETIMES = {
  root: 30 * YEAR_MS,
  leaf: 10 * YEAR_MS,
  /** Of the key of a leaf. */
  key: YEAR_MS,
  /** A leaf with less of its key's period left is followed by another. */
  renewal: 30 * DAY_MS,
  /** A certificate holds from a minute ago on, because another server may use it at once whose clock is behind. */
  backdating: 60_000,
} as const

/** The leaf that signs now. One is made where there is none, or its key's period is about to end. @throws master_key_changed */
export async function currentCertificate(sealing: Sealing, keyType: KeyType): Promise<StampingCertificate> {
  const { now_ms } = await row(sealing.em, DATABASE_TIME)
  const leaf = await newest(sealing.em, 'leaf', keyType)
  if (leaf !== undefined && isFresh(leaf, now_ms)) return openLeaf(sealing, leaf)
  return alone(sealing, async (tx, nowMs) => {
    const another = await newest(tx.em, 'leaf', keyType)
    return another !== undefined && isFresh(another, nowMs)
      ? openLeaf(tx, another)
      : storeLeaf(tx, keyType, nowMs)
  })
}

/** Makes a leaf that signs from now on. Servers take it within half a minute. @throws master_key_changed */
export const rotateCertificate = (sealing: Sealing, keyType: KeyType): Promise<StampingCertificate> =>
  alone(sealing, (tx, nowMs) => storeLeaf(tx, keyType, nowMs))

/** Writes down a chain that an operator brought, so that `allCertificates` has it for good. Safe to repeat. */
export async function noteBroughtCertificate(
  em: EntityManager,
  { chain: [certificate, ...chain], toMs, sha256: fingerprint }: StampingCertificate,
): Promise<void> {
  if (certificate === undefined) throw new Error('A chain has no leaf.')
  await db(em)
    .insertInto('time_stamp_certificates')
    .values({ role: 'brought', fingerprint, certificate, chain, signs_until: new Date(toMs) })
    .onConflict((known) => known.doNothing())
    .execute()
}

/** An operator brings few, and a leaf is made each year and by hand. */
const MOST_CERTIFICATES = 1_000

/**
 * The chains of all that ever signed, the leaf first in each, and the newest chain first.
 * Index: time_stamp_certificates_number_key.
 */
export const allCertificates = async (em: EntityManager): Promise<readonly (readonly Buffer[])[]> =>
  (await rows(em, ALL)).map(({ certificate, chain }) => [certificate, ...chain])

const ALL = statement(
  { certificate: bytes, chain: bytesList },
  sql`
  SELECT certificate, chain FROM time_stamp_certificates WHERE role <> 'root'
   ORDER BY number DESC LIMIT ${sql.lit(MOST_CERTIFICATES)}`,
)

type Stored = RowFrom<ReturnType<typeof NEWEST>>

const newest = async (
  em: EntityManager,
  role: 'root' | 'leaf',
  keyType: KeyType,
): Promise<Stored | undefined> => (await rows(em, NEWEST({ role, keyType })))[0]

/** Index: time_stamp_certificates_number_key. */
const NEWEST = statement(
  {
    fingerprint: bytes,
    certificate: bytes,
    chain: bytesList,
    sealed_key: nullable(bytes),
    signs_until_ms: float8,
  },
  ({ role, keyType }: { role: string; keyType: string }) => sql`
  SELECT fingerprint, certificate, chain, sealed_key, unix_ms(signs_until) AS signs_until_ms
    FROM time_stamp_certificates WHERE role = ${role} AND key_type = ${keyType} ORDER BY number DESC LIMIT 1`,
)

const isFresh = ({ signs_until_ms }: Stored, nowMs: number): boolean =>
  signs_until_ms - nowMs > CERTIFICATE_LIFETIMES.renewal

/** One change at a time. Whoever comes second finds what the first has made. */
const alone = <T>(
  { em, masterKey }: Sealing,
  work: (sealing: Sealing, nowMs: number) => Promise<T>,
): Promise<T> =>
  inTransaction(em, async (tx) => {
    await change(tx, HOLD)
    // Certificates tell whole seconds.
    const { now_ms } = await row(tx, DATABASE_TIME)
    return work({ em: tx, masterKey }, Math.floor(now_ms / 1_000) * 1_000)
  })

const HOLD = command(sql`SELECT pg_advisory_xact_lock(${sql.lit(7_205_005)})`)

async function storeLeaf(sealing: Sealing, keyType: KeyType, nowMs: number): Promise<StampingCertificate> {
  // What makes certificates is large, and needed once a year.
  const { makeLeaf } = await import('./make_certificates.ts')
  const root = await currentRoot(sealing, keyType, nowMs)
  const keyToMs = nowMs + CERTIFICATE_LIFETIMES.key
  const validity = {
    fromMs: nowMs - CERTIFICATE_LIFETIMES.backdating,
    toMs: nowMs + CERTIFICATE_LIFETIMES.leaf,
    keyToMs,
  }
  const made = await makeLeaf(keyType, validity, root)
  const signs_until = new Date(keyToMs)
  await store(sealing, made, { role: 'leaf', key_type: keyType, chain: [root.certificate], signs_until })
  return stampingCertificate([made.certificate, root.certificate], openPrivateKey(made.privateKey))
}

/** A root that outlives a leaf that is made now. */
async function currentRoot(sealing: Sealing, keyType: KeyType, nowMs: number): Promise<Certified> {
  const { makeRoot } = await import('./make_certificates.ts')
  const known = await newest(sealing.em, 'root', keyType)
  if (known !== undefined && known.signs_until_ms >= nowMs + CERTIFICATE_LIFETIMES.leaf)
    return { certificate: known.certificate, privateKey: await openKey(sealing, known) }
  const toMs = nowMs + CERTIFICATE_LIFETIMES.root
  const made = await makeRoot(keyType, { fromMs: nowMs - CERTIFICATE_LIFETIMES.backdating, toMs })
  await store(sealing, made, { role: 'root', key_type: keyType, chain: [], signs_until: new Date(toMs) })
  return made
}

interface Place {
  readonly role: 'root' | 'leaf'
  readonly key_type: KeyType
  readonly chain: readonly Buffer[]
  readonly signs_until: Date
}

async function store(sealing: Sealing, { certificate, privateKey }: Certified, place: Place): Promise<void> {
  const fingerprint = hash('sha256', certificate, 'buffer')
  const sealed_key = await seal(sealing, SEALED, fingerprint, privateKey)
  await db(sealing.em)
    .insertInto('time_stamp_certificates')
    .values({ ...place, fingerprint, certificate, sealed_key })
    .execute()
}

const SEALED = 'time_stamp_certificates.sealed_key'

const openKey = (sealing: Sealing, { fingerprint, sealed_key }: Stored): Promise<Buffer> =>
  openSealed(sealing, SEALED, fingerprint, presentColumn(sealed_key))

const openLeaf = async (sealing: Sealing, leaf: Stored): Promise<StampingCertificate> =>
  stampingCertificate([leaf.certificate, ...leaf.chain], openPrivateKey(await openKey(sealing, leaf)))
