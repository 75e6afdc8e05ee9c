// Builds a bundle: the subject's path to its block, the block's entries on public chains, the witnesses, and the
// signature.
import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import type { BlockMap, Bundle, Subject } from '../../../shared/proof/bundle/bundle.ts'
import { fromHex, isHex, toBase64 } from '../../../shared/proof/bytes.ts'
import { keyIdOf } from '../../../shared/proof/composites.ts'
import type { EntropyName } from '../../../shared/proof/entropy_names.ts'
import { isJsonObject, type JsonObject, memberOf } from '../../../shared/proof/json_value.ts'
import { encodePath } from '../../../shared/proof/merkle.ts'
import { signedPayloadDigest, TYPE_CODES } from '../../../shared/proof/signed_payload.ts'
import { refuse } from '../../kernel/refusal.ts'
import { SealBroken } from '../../kernel/sealed.ts'
import { text } from '../../store/columns.ts'
import { TABLES } from '../../store/database.ts'
import { isDatabaseUnavailable, isStatementTimeout } from '../../store/database_errors.ts'
import { isKeyChanged } from '../../store/seal.ts'
import { rows, statement } from '../../store/statement.ts'
import { blockStandings, confirmedEntries } from '../commitments/commitment_entries.ts'
import { ENTROPY_SOURCES } from '../ledger/observation.ts'
import type { Signer, SigningKey } from '../ledger/signing_key.ts'
import { inclusionPath } from '../ledger/tile_tree.ts'
import { type FoundSubject, type ProofBlock, readProofBlocks, storedObject } from './find_subject.ts'
import type { IntroducedKey } from './keyrings.ts'
import {
  type ProofRequest,
  type ProofSlots,
  proofWait,
  reading,
  refuseProof,
  type WitnessName,
  wantedWitnesses,
} from './proof_request.ts'

/** Returns the hash that an item's metadata commits to under this name, undefined when there is none. */
function committedHash(subject: Subject, name: string): Uint8Array | undefined {
  const witnesses = memberOf(subject.metadata, 'witnesses')
  const hash = isJsonObject(witnesses) ? memberOf(witnesses, name) : undefined
  return typeof hash === 'string' && isHex(hash, 32) ? fromHex(hash) : undefined
}

/**
 * The subject with the witnesses that are both wanted and committed to, and the blocks from the witness block on. Empty
 * members are left out. Makes one statement.
 * @param run the blocks from the witness block to the one before the subject's block; empty when they are not
 * connected
 * @throws witness_unavailable with the name of the missing witness
 */
async function carryWitnesses(
  em: EntityManager,
  subject: Subject,
  { wanted, run }: { readonly wanted: ReadonlySet<WitnessName>; readonly run: readonly ProofBlock[] },
): Promise<Pick<Bundle, 'subject' | 'block_path'>> {
  const details: Record<string, BlockMap | JsonObject> = {}
  const [witness, ...between] = run
  const isCarried = (name: WitnessName) => wanted.has(name) && committedHash(subject, name) !== undefined
  if (isCarried('block')) {
    if (witness === undefined) throw unavailable('block')
    details.block = witness.carried
  }
  const sources = ENTROPY_SOURCES.filter(isCarried)
  const payloads = await readPayloads(em, subject, sources)
  for (const source of sources) {
    const payload = payloads.get(source)
    if (payload === undefined) throw unavailable(source)
    details[source] = payload
  }
  return {
    subject: { ...subject, ...(Object.keys(details).length > 0 && { witnesses: details }) },
    ...(isCarried('block') && between.length > 0 && { block_path: between.map(({ carried }) => carried) }),
  }
}

const unavailable = (witness: WitnessName) => refuseProof('witness_unavailable', { meta: { witness } })

/** Index: entropy_observations_source_entropy_hash_key. */
const PAYLOADS = statement(
  { source: TABLES.entropy_observations.source, entropy: text },
  (wanted: { sources: readonly EntropyName[]; hashes: readonly (Uint8Array | undefined)[] }) => sql`
  SELECT o.source, o.entropy
    FROM unnest(${wanted.sources}::text[], ${wanted.hashes}::bytea[]) AS committed (source, hash)
    JOIN entropy_observations o ON o.source = committed.source COLLATE "C" AND o.entropy_hash = committed.hash`,
)

async function readPayloads(
  em: EntityManager,
  subject: Subject,
  sources: readonly EntropyName[],
): Promise<ReadonlyMap<EntropyName, JsonObject>> {
  if (sources.length === 0) return new Map()
  const hashes = sources.map((source) => committedHash(subject, source))
  const found = await rows(em, PAYLOADS({ sources, hashes }))
  return new Map(found.map(({ source, entropy }) => [source, storedObject(entropy)]))
}

interface BundleParts {
  readonly request: Pick<ProofRequest, 'type' | 'witnesses'>
  readonly subject: FoundSubject
  /** The key that signs the bundle. */
  readonly key: IntroducedKey
}

/**
 * Makes four statements, one more for the path of a leaf, and one more for payloads of public sources.
 * @throws not_found, no_external_commitments, witness_unavailable, signing_unavailable, lookup_failed
 */
export async function makeBundle(
  { em, signer, slots }: { em: EntityManager; signer: Signer; slots: ProofSlots },
  { request, subject, key }: BundleParts,
): Promise<Bundle> {
  const wanted = wantedWitnesses(request.witnesses)
  const leaf = subject.kind === 'leaf' ? subject : undefined
  const witnessHash = leaf && wanted.has('block') ? committedHash(leaf.carried, 'block') : undefined
  const blocks = {
    subjectId: subject.blockId,
    keyEventHeight: key.introducedAtHeight,
    witnessHash: witnessHash ?? null,
  }
  const { subject: block, keyEvent, run, nowMs } = await reading(() => readProofBlocks(em, blocks))
  // A missing block is an unknown id when the caller named the block. When a leaf or a key names it, the database is
  // damaged.
  if (block === undefined) throw leaf === undefined ? refuse('not_found') : refuseProof('lookup_failed')
  if (keyEvent === undefined) throw refuseProof('lookup_failed')

  const inclusionProof = leaf && (await pathOf(em, leaf.leafIndex, block))
  const entries = await reading(() => confirmedEntries(em, [block.id, keyEvent.id]))
  const commitments = entries.get(block.id) ?? []
  if (commitments.length === 0) {
    const chains = slots.chains.map(({ chain }) => chain.name)
    const standings = await reading(() => blockStandings(em, { blockId: block.id, chains }))
    const wait = proofWait(slots, nowMs, standings)
    throw refuseProof('no_external_commitments', {
      ...(wait.retry_after_ms === null && {
        detail: 'no epoch will hold the block: on every public chain here the first epoch begins after it',
      }),
      meta: wait,
    })
  }
  const event = { block: keyEvent.carried, commitments: entries.get(keyEvent.id) ?? [] }
  return signBundle(
    { em, signer },
    {
      type: request.type,
      block: block.carried,
      commitments,
      ...(inclusionProof !== undefined && { inclusion_proof: inclusionProof }),
      ...(leaf && (await reading(() => carryWitnesses(em, leaf.carried, { wanted, run })))),
      ...(wanted.has('signing_key_event') && { signing_key_event: event }),
    },
    { key, nowMs, subjectHash: leaf?.hash ?? block.hash, blockHash: block.hash },
  )
}

async function pathOf(em: EntityManager, leafIndex: number, block: ProofBlock): Promise<string> {
  const place = { blockId: block.id, leafIndex, leafCount: block.leafCount }
  const steps = await reading(() => inclusionPath(em, place))
  if (steps === undefined) throw refuseProof('lookup_failed')
  return encodePath(steps)
}

/**
 * Completes a bundle: it adds the time and the key, and signs both together with the hashes.
 * @throws signing_unavailable when the key cannot be opened or read
 */
async function signBundle(
  { em, signer }: { em: EntityManager; signer: Signer },
  unsigned: Omit<Bundle, 'version' | 'generated_at' | 'public_key' | 'signature'>,
  {
    key,
    nowMs,
    subjectHash,
    blockHash,
  }: {
    readonly key: SigningKey
    /** Unix milliseconds. Fractions of a second are cut, because the text in the bundle has whole seconds. */
    readonly nowMs: number
    /** 32 bytes. For a block this is the block hash. */
    readonly subjectHash: Uint8Array
    readonly blockHash: Uint8Array
  },
): Promise<Bundle> {
  const generatedAtMs = Math.floor(nowMs / 1_000) * 1_000
  const digest = signedPayloadDigest({
    typeCode: TYPE_CODES[unsigned.type],
    keyId: keyIdOf(key.publicKey),
    generatedAtMs,
    subjectHash,
    blockHash,
    epochRoots: unsigned.commitments.map((entry) => fromHex(entry.epoch_merkle_root)),
  })
  return {
    ...unsigned,
    version: 1,
    generated_at: new Date(generatedAtMs).toISOString().replace('.000Z', 'Z'),
    public_key: toBase64(key.publicKey),
    signature: toBase64(await signature({ em, signer }, key, digest)),
  }
}

async function signature(
  { em, signer }: { em: EntityManager; signer: Signer },
  { keyId }: SigningKey,
  digest: Uint8Array,
): Promise<Uint8Array> {
  try {
    return await signer.sign(em, keyId, digest)
  } catch (error) {
    const isUnusable = error instanceof SealBroken || isKeyChanged(error)
    if (isUnusable || isDatabaseUnavailable(error) || isStatementTimeout(error))
      throw refuseProof('signing_unavailable')
    throw error
  }
}
