// JSON Schemas of what proof routes return: a bundle in either layout, an .ots file, and a verification report.
import { BITCOIN_NETWORKS, OTS_CONTENT_TYPE } from '../../shared/proof/opentimestamps/ots_file.ts'
import { CHAIN_NAMES, CHAINS } from '../../shared/proof/public_chains.ts'
import { TYPE_CODES } from '../../shared/proof/signed_payload.ts'
import type { JsonSchema } from '../contract/kind.ts'
import { base64, hex8, hex64, jsonObject, ulid, uuid7 } from '../contract/kinds.ts'
import { resultOf, textResult, wholeMember, wordMember } from '../contract/operation.ts'
import { MAX_BLOCKS_BETWEEN } from '../domain/proofs/find_subject.ts'
import { MAX_PROOF_BYTES, PROOF_TYPES, WITNESS_NAMES } from '../domain/proofs/proof_request.ts'

const said = (schema: JsonSchema, description: string): JsonSchema => ({ ...schema, description })

const second: JsonSchema = { type: 'string', pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ$' }
const path: JsonSchema = { type: 'string', pattern: '^[A-Za-z0-9_-]+$' }
const hashed = (what: string): JsonSchema => ({
  ...jsonObject({ bytes: MAX_PROOF_BYTES }).schema,
  description: `${what}, exactly as hashed.`,
})
const listOf = (items: JsonSchema, maxItems: number, description: string): JsonSchema => ({
  type: 'array',
  items,
  maxItems,
  description,
})

/** A bundle names each chain and network at most once. */
const MOST_COMMITMENTS = 16

/** A report has several rows for each block and commitment in the bundle. */
const MOST_STEPS = 10_000
const orNull = ({ type, ...rest }: JsonSchema): JsonSchema => ({ ...rest, type: [type, 'null'] })

const BLOCK_MAP = resultOf(
  {
    id: uuid7().schema,
    previous_block_hash: hex64().schema,
    merkle_root: hex64().schema,
    metadata: hashed('Block metadata'),
    signing_key_id: hex8().schema,
  },
  'ProofBlock',
)

const COMMITMENTS = listOf(
  resultOf(
    {
      chain: { type: 'string', enum: CHAIN_NAMES.toSorted() },
      network: textResult('`mainnet`, `testnet`, `regtest`; of Stellar `public`, `testnet`.'),
      epoch_merkle_root: hex64().schema,
      epoch_proof: said(path, 'From the block hash to the root of the epoch.'),
      transaction_hash: hex64().schema,
      timestamp: said(second, 'Ledger close or block header time.'),
      'ledger?': wholeMember('Stellar: the ledger.'),
      'block_height?': wholeMember('Bitcoin: the height of the block.'),
      'raw_transaction?': textResult('Bitcoin: hex.'),
      'txoutproof?': textResult('Bitcoin: hex, as `gettxoutproof` gives it.'),
      'block_merkle_root?': hex64().schema,
    },
    'ProofCommitment',
  ),
  MOST_COMMITMENTS,
  'One per public chain that holds the block.',
)

const ids: JsonSchema = { anyOf: [ulid().schema, uuid7().schema] }

const PUBLISHED = resultOf(
  {
    version: { type: 'integer', const: 1 },
    type: { type: 'string', enum: PROOF_TYPES },
    generated_at: said(second, 'When it was signed.'),
    public_key: said(base64({ bytes: 32 }).schema, '32 bytes.'),
    signature: said(base64({ bytes: 64 }).schema, '64 bytes.'),
    'subject?': said(
      resultOf({
        id: ids,
        'claims?': hashed('Claims of an item'),
        'entropy?': hashed('Payload of an observation'),
        metadata: hashed('Metadata'),
        signing_key_id: hex8().schema,
        'witnesses?': {
          type: 'object',
          maxProperties: WITNESS_NAMES.length,
          description: 'By name: a block, or the payload of a public source.',
        },
      }),
      'Absent of a block or beacon.',
    ),
    'inclusion_proof?': said(path, 'From the subject’s hash to the Merkle root of the block.'),
    block: BLOCK_MAP,
    'block_path?': listOf(
      BLOCK_MAP,
      MAX_BLOCKS_BETWEEN,
      'From the witnessed block to the block, oldest first.',
    ),
    commitments: COMMITMENTS,
    'signing_key_event?': said(
      resultOf({ block: BLOCK_MAP, commitments: COMMITMENTS }),
      'The block that introduced the key.',
    ),
  },
  'PublishedProof',
)

const COMPACT = resultOf(
  {
    v: { type: 'integer', const: 1 },
    t: said({ type: 'integer', enum: Object.values(TYPE_CODES) }, 'The type, as its code.'),
    ts: second,
    pk: base64({ bytes: 32 }).schema,
    sig: base64({ bytes: 64 }).schema,
    's?': said(
      resultOf(
        { id: ids, d: hashed('Claims or payload'), mh: hex64().schema, kid: hex8().schema },
        'CompactProofSubject',
      ),
      'Absent of a block or beacon.',
    ),
    'ip?': path,
    b: resultOf(
      {
        id: uuid7().schema,
        ph: hex64().schema,
        mr: hex64().schema,
        mh: hex64().schema,
        kid: hex8().schema,
      },
      'CompactProofBlock',
    ),
    cx: listOf(
      resultOf(
        {
          t: said(
            { type: 'integer', enum: CHAIN_NAMES.map((chain) => CHAINS[chain].code) },
            `${CHAIN_NAMES.map((chain) => CHAINS[chain].title).join(', ')}.`,
          ),
          ep: path,
          tx: hex64().schema,
          net: { type: 'string' },
          ts: second,
          'memo?': hex64().schema,
          'op?': hex64().schema,
          'l?': { type: 'integer' },
          'h?': { type: 'integer' },
          'rtx?': { type: 'string' },
          'txp?': { type: 'string' },
          'bmr?': hex64().schema,
        },
        'CompactProofCommitment',
      ),
      MOST_COMMITMENTS,
      'As `commitments`, in the same order.',
    ),
  },
  'CompactProof',
)

/** A bundle as JSON, or as base64 of its CBOR. */
export const PROOF_SCHEMA: JsonSchema = {
  description: 'The bundle in the layout that was asked for; as `cbor`, the base64 of its bytes.',
  anyOf: [PUBLISHED, COMPACT, base64({ bytes: MAX_PROOF_BYTES }).schema],
}

/** 255 operations, of which all but those of the claims and of the transaction have short arguments. */
const MOST_OTS_BYTES = 32_768

export const OPENTIMESTAMPS_SCHEMA = resultOf({
  filename: textResult(
    'Such as `pharos-item-<id>.ots`. Of a network for trials it ends in `.regtest.ots` or `.testnet.ots`.',
  ),
  ots: said(base64({ bytes: MOST_OTS_BYTES }).schema, 'The file.'),
  content_type: wordMember([OTS_CONTENT_TYPE]),
  network: said(
    wordMember(BITCOIN_NETWORKS),
    'The Bitcoin network that the file attests to. The file itself names none.',
  ),
})

const count = (status: string): JsonSchema => wholeMember(`Rows with the status \`${status}\`.`)

export const REPORT_SCHEMA = resultOf({
  id: orNull(textResult('Of the subject; of the block when the proof is about one.')),
  source: said({ type: 'string', enum: PROOF_TYPES }, 'The type of the proof.'),
  subject_id: orNull(textResult('The same as `id`.')),
  subject_type: said({ type: 'string', enum: PROOF_TYPES }, 'The same as `source`.'),
  proof_version: orNull(wholeMember('As carried.')),
  generated_at: orNull(textResult('As carried.')),
  passed: { type: 'boolean', description: 'No row is `fail`.' },
  skipped_external: { type: 'boolean', description: 'Public chains and sources were not asked.' },
  hash_provided: orNull(textResult('The expected hash, trimmed and in lower case.')),
  expected_hash_provided: { type: 'boolean' },
  hash_matched: { type: 'boolean' },
  temporal: resultOf({
    'claimed_at?': second,
    'submitted_at?': second,
    'captured_at?': second,
    'committed_at?': second,
    ...Object.fromEntries(CHAIN_NAMES.map((chain) => [`${chain}_commit?`, second])),
  }),
  steps: listOf(
    resultOf(
      {
        group: textResult('e.g. `Epoch Proof`.'),
        category: {
          type: 'string',
          enum: ['data_integrity', 'structural', 'cryptographic', 'blockchain', 'timing'],
        },
        status: { type: 'string', enum: ['pass', 'fail', 'warn', 'skip', 'info'] },
        message: textResult('For people; may be reworded.'),
      },
      'ProofCheck',
    ),
    MOST_STEPS,
    'Every check in its order.',
  ),
  pass_count: count('pass'),
  failed_count: count('fail'),
  warn_count: count('warn'),
  skip_count: count('skip'),
  info_count: count('info'),
})
