// Verifies a bundle: runs every check in the order in which the rows are reported. Each check adds rows, and none stops
// the run.
import { type Carried, carried, type ReadBlock, type ReadEntry, readBlock } from '../bundle/bundle_parts.ts'
import type { ReadBundle, ReadSubject } from '../bundle/read_bundle.ts'
import { isHex } from '../bytes.ts'
import { verifySignature as ourVerifySignature } from '../ed25519.ts'
import { isJsonObject, type JsonValue, memberOf } from '../json_value.ts'
import type { Lookups } from '../lookups/lookup.ts'
import { CHAIN_NAMES, type ChainName, commitmentStep } from '../public_chains.ts'
import { hexBytes, integerOf, sameBytes, shown, textOf } from './carried_values.ts'
import { epochFinding, walked } from './derived_hashes.ts'
import { answersOf, type Examination, type VerifySignature } from './examination.ts'
import { keyEventFindings } from './facts.ts'
import type { NamedKeyring } from './keyring.ts'
import {
  type Finding,
  fail,
  pass,
  type Report,
  type Row,
  type RowCategory,
  type RowStatus,
  skip,
} from './report.ts'
import { keyBinding, proofSignature, signingKey } from './signature_checks.ts'
import { claimedHash, hashComparison, isSameHash, subjectData } from './subject_checks.ts'
import {
  submissionWindow,
  submittedAfter,
  submittedBefore,
  temporalInfo,
  temporalOf,
  witnesses,
} from './timing_checks.ts'

interface VerifyOptions {
  /** The expected digest of the item's content. Surrounding white space and case are ignored. */
  readonly expectedHash?: string | undefined
  readonly keyrings: readonly NamedKeyring[]
  /** When absent, nothing is looked up. */
  readonly lookups?: Lookups | undefined
  /** A faster Ed25519, which must be as strict as `verifySignature` of `ed25519.ts`. */
  readonly verifySignature?: VerifySignature | undefined
}

/** Never throws because of what a bundle holds: every problem is a row. */
export async function verifyBundle(
  read: ReadBundle,
  { expectedHash, keyrings, lookups, verifySignature = ourVerifySignature }: VerifyOptions,
): Promise<Report> {
  const normalized = expectedHash?.trim().toLowerCase()
  const temporal = temporalOf(read)
  const answers = await answersOf(read, lookups)
  const examination = {
    bundle: read,
    expectedHash: normalized,
    keyrings,
    verifySignature,
    temporal,
    ...answers,
  }
  const steps = rowsOf(examination)
  const count = (status: RowStatus): number => steps.filter((row) => row.status === status).length
  const id = shortText((read.subject ?? read.block).id)
  const claimed = read.type === 'item' ? claimedHash(read.subject) : undefined
  const failed = count('fail')
  return {
    id,
    source: read.type,
    subject_id: id,
    subject_type: read.type,
    proof_version: integerOf(read.version) ?? null,
    generated_at: shortText(read.generatedAt),
    passed: failed === 0,
    skipped_external: lookups === undefined,
    hash_provided: normalized ?? null,
    expected_hash_provided: normalized !== undefined,
    hash_matched: normalized !== undefined && claimed !== undefined && isSameHash(normalized, claimed),
    temporal,
    steps,
    pass_count: count('pass'),
    failed_count: failed,
    warn_count: count('warn'),
    skip_count: count('skip'),
    info_count: count('info'),
  }
}

/** Null for a value that is not text, and for text longer than any id or time. */
function shortText(value: Carried): string | null {
  const text = textOf(value)
  return text === undefined || text.length > LONGEST_TEXT ? null : text
}

const LONGEST_TEXT = 64

function rowsOf(examination: Examination): Row[] {
  return STEPS.flatMap(({ group, category, findings }) =>
    findings(examination).map((finding) => ({
      group,
      category: finding.category ?? category,
      status: finding.status,
      message: finding.message,
    })),
  )
}

interface Step {
  readonly group: string
  readonly category: RowCategory
  /** Empty when the check does not apply at all. */
  readonly findings: (examination: Examination) => readonly Finding[]
}

/** Clients rely on the names of groups and categories. */
export const STEPS: readonly Step[] = [
  { group: 'Hash Comparison', category: 'data_integrity', findings: hashComparison },
  { group: 'Structure', category: 'structural', findings: version },
  { group: 'Structure', category: 'structural', findings: surplus },
  { group: 'Structure', category: 'structural', findings: hexFields },
  { group: 'Signing Key', category: 'cryptographic', findings: signingKey },
  { group: 'Subject Data', category: 'cryptographic', findings: subjectData },
  { group: 'Inclusion Proof', category: 'cryptographic', findings: inclusionProof },
  { group: 'Block Hash', category: 'cryptographic', findings: blockHash },
  { group: 'Epoch Proof', category: 'cryptographic', findings: epochProofs },
  ...CHAIN_NAMES.map(
    (chain): Step => ({
      group: commitmentStep(chain),
      category: 'blockchain',
      findings: (on) => commitmentsOn(chain, on),
    }),
  ),
  { group: 'Proof Signature', category: 'cryptographic', findings: proofSignature },
  { group: 'Key Binding', category: 'cryptographic', findings: keyBinding },
  { group: 'Signing Key Event', category: 'cryptographic', findings: signingKeyEvent },
  { group: 'Witnesses', category: 'timing', findings: witnesses },
  { group: 'Entropy Source', category: 'blockchain', findings: entropySources },
  { group: 'Submission Window', category: 'timing', findings: submissionWindow },
  { group: 'Temporal Info', category: 'timing', findings: temporalInfo },
  { group: 'Submitted After', category: 'timing', findings: submittedAfter },
  { group: 'Submitted Before', category: 'timing', findings: submittedBefore },
]

function version({ bundle }: Examination): Finding[] {
  return bundle.version === 1
    ? [pass('The bundle is of version 1.')]
    : [fail('The bundle is not of version 1, the only one there is.')]
}

function surplus({ bundle }: Examination): Finding[] {
  return bundle.surplus.length === 0
    ? []
    : [
        fail(
          `More entries than are looked at, and more than any honest bundle has: ${bundle.surplus.join(', ')}.`,
        ),
      ]
}

/** A field that is not lowercase hex of its exact size could be read in two ways. */
function hexFields({ bundle }: Examination): Finding[] {
  const names = hexFieldsOf(bundle)
    .filter(({ value, size }) => value !== undefined && !(typeof value === 'string' && isHex(value, size)))
    .map(({ name }) => name)
  return names.length === 0 ? [] : [fail(`Not lowercase hex of the right length: ${names.join(', ')}.`)]
}

function inclusionProof({ bundle, facts }: Examination): Finding[] {
  if (bundle.inclusionProof === undefined) return [skip('The block itself is the subject.')]
  if (facts.subjectHash === undefined)
    return [fail('Without a subject hash nothing leads to the Merkle root of the block.')]
  const reached = walked(facts.subjectHash, bundle.inclusionProof)
  if (reached === undefined) return [fail('The path to the Merkle root of the block is malformed.')]
  return sameBytes(reached, hexBytes(bundle.block.merkleRoot, 32))
    ? [pass('The path leads from the subject hash to the Merkle root of the block.')]
    : [fail('The path does not lead from the subject hash to the Merkle root of the block.')]
}

function blockHash({ bundle, facts }: Examination): Finding[] {
  if (facts.blockHash === undefined)
    return [fail('A part of the block is missing or malformed, so it has no hash.')]
  return [
    bundle.block.metadataHash === undefined
      ? pass('The metadata of the block is hashed.')
      : skip('The metadata of the block is carried as its hash only.'),
    pass(`The block hashes to ${shown(facts.blockHash)}.`),
  ]
}

function epochProofs({ bundle, facts }: Examination): Finding[] {
  return bundle.commitments.map((entry) => epochFinding(facts.blockHash, entry))
}

function commitmentsOn(chain: ChainName, examination: Examination): Finding[] {
  const entries = examination.bundle.commitments.filter((entry) => entry.chain === chain)
  return entries.flatMap((entry) => chainFindings(examination, entry))
}

/**
 * First what the bytes of the entry show, then what the chain answered. For an entry without bytes only the
 * latter.
 */
function chainFindings({ facts, chains }: Examination, entry: ReadEntry): readonly Finding[] {
  const evidence = facts.chains.get(entry)
  if (evidence?.isBare === true) return evidence.findings
  return [...(evidence?.findings ?? []), ...(chains.get(entry)?.findings ?? [])]
}

/** Reports only failures of the entry's bytes. */
function signingKeyEvent(examination: Examination): readonly Finding[] {
  const { bundle, facts, chains } = examination
  return keyEventFindings(bundle, facts.keyEvent, facts.keyId, (entry) => {
    const evidence = facts.chains.get(entry)
    if (evidence?.isBare === true) return evidence.findings
    const against = evidence?.findings.filter(({ status }) => status === 'fail') ?? []
    return [...against, ...(chains.get(entry)?.findings ?? [])]
  })
}

function entropySources({ entropy }: Examination): Finding[] {
  return entropy.flatMap(({ verdict }) => verdict.findings)
}

interface HexField {
  readonly name: string
  readonly value: Carried
  readonly size: 4 | 32
}

function hexFieldsOf({ subject, block, blockPath, commitments, signingKeyEvent }: ReadBundle): HexField[] {
  const event = 'signing_key_event'
  return [
    ...(subject === undefined ? [] : subjectFields(subject)),
    ...blockFields('block', block),
    ...listOf(blockPath).flatMap((map, i) => mapFields(`block_path[${i}]`, map)),
    ...commitments.flatMap((entry, i) => entryFields(`commitments[${i}]`, entry)),
    ...mapFields(`${event}.block`, carried(signingKeyEvent, 'block')),
    ...listOf(carried(signingKeyEvent, 'commitments')).flatMap((entry, i) =>
      entryFields(`${event}.commitments[${i}]`, {
        epochMerkleRoot: carried(entry, 'epoch_merkle_root'),
        transactionHash: carried(entry, 'transaction_hash'),
        blockMerkleRoot: carried(entry, 'block_merkle_root'),
      }),
    ),
  ]
}

const listOf = (value: Carried): readonly JsonValue[] => (Array.isArray(value) ? value : [])

const mapFields = (place: string, map: JsonValue | undefined): HexField[] =>
  isJsonObject(map) ? blockFields(place, readBlock(map)) : []

const subjectFields = (subject: ReadSubject): HexField[] => [
  { name: 'subject.signing_key_id', value: subject.signingKeyId, size: 4 },
  { name: 'subject.metadata_hash', value: subject.metadataHash, size: 32 },
  ...committedWitnesses(subject.committedWitnesses),
]

function committedWitnesses(witnesses: Carried): HexField[] {
  if (!isJsonObject(witnesses)) return []
  // Sorted, because the order of members has no meaning.
  const names = Object.keys(witnesses).sort()
  return names.map((name) => ({
    name: `subject.metadata.witnesses.${shown(name)}`,
    // In a hashed map null is an ordinary value, and null is not a hash.
    value: memberOf(witnesses, name) ?? false,
    size: 32,
  }))
}

function blockFields(place: string, block: ReadBlock): HexField[] {
  return [
    { name: `${place}.previous_block_hash`, value: block.previousBlockHash, size: 32 },
    { name: `${place}.merkle_root`, value: block.merkleRoot, size: 32 },
    { name: `${place}.metadata_hash`, value: block.metadataHash, size: 32 },
    { name: `${place}.signing_key_id`, value: block.signingKeyId, size: 4 },
  ]
}

function entryFields(
  place: string,
  entry: Readonly<Record<'epochMerkleRoot' | 'transactionHash' | 'blockMerkleRoot', Carried>>,
): HexField[] {
  return [
    { name: `${place}.epoch_merkle_root`, value: entry.epochMerkleRoot, size: 32 },
    { name: `${place}.transaction_hash`, value: entry.transactionHash, size: 32 },
    { name: `${place}.block_merkle_root`, value: entry.blockMerkleRoot, size: 32 },
  ]
}
