// The steps of a verification as people read them: what each is about, and the question that it answers. Reports name them by
// their groups, which are the same in JSON for ever.
import { CHAIN_NAMES, CHAINS, commitmentStep } from '../proof/public_chains.ts'
import type { Row } from '../proof/verify/report.ts'

/** The words fit into a sentence, e.g. `the item’s signature`. */
export const stepWords = (group: string): { readonly words: string; readonly question: string } => {
  const [words, question] = STEPS.get(group) ?? [group, '']
  return { words, question }
}

/** Those of rows that fail, each once, with commas between. */
export const failedSteps = (rows: readonly Row[]): string =>
  [
    ...new Set(rows.filter(({ status }) => status === 'fail').map(({ group }) => stepWords(group).words)),
  ].join(', ')

type Step = readonly [words: string, question: string]

const STEPS = new Map<string, Step>([
  ['Hash Comparison', ['the digest of your file', 'Is the claimed digest the digest of your file?']],
  ['Structure', ['the form of the bundle', 'Is the bundle written as the format wants it?']],
  ['Signing Key', ['the public key in it', 'Does it carry a usable public key?']],
  [
    'Subject Data',
    ['the hash of the data', 'Which hash do the data, its metadata and its id make together?'],
  ],
  [
    'Inclusion Proof',
    ['the path to the block’s root', 'Does the path lead from that hash to the root of the block’s tree?'],
  ],
  ['Block Hash', ['the hash of the block', 'Which hash do the block’s parts make?']],
  [
    'Epoch Proof',
    ['the path to the epoch’s root', 'Does the path lead from the block to the root of the epoch?'],
  ],
  ...CHAIN_NAMES.map(
    (chain) =>
      [
        commitmentStep(chain),
        [`the commitment on ${CHAINS[chain].title}`, `Does ${CHAINS[chain].title} carry the epoch’s root?`],
      ] as const,
  ),
  ['Proof Signature', ['the proof’s signature', 'Did the key sign exactly this?']],
  ['Key Binding', ['whose key it is', 'Whose key is it?']],
  ['Signing Key Event', ['the block that introduced the key', 'Which block introduced the key?']],
  ['Digest', ['the digest of the file', 'Is the digest that of your file?']],
  [
    'Trees',
    ['the path to what the item claims', 'Does the path lead from the digest to what the item claims?'],
  ],
  ['Item', ['the hash of the item', 'Which hash do the item’s parts make?']],
  ['Item Signature', ['the item’s signature', 'Did the service sign the item?']],
  ['Bundle', ['the proof bundle in it', 'Is the proof bundle about this item, and valid?']],
  ['Public Log', ['the block’s place in the public log', 'Does the public log have the item’s block?']],
  ['Time Stamp', ['the time stamp in it', 'Is the time stamp in it about this, and valid?']],
  [
    'Bitcoin',
    ['the block’s Merkle root', 'Does the Bitcoin block have the Merkle root to which the steps lead?'],
  ],
  ['Calendar', ['the promises of calendars', 'Who has promised a proof?']],
  ['Signature', ['the time stamp’s signature', 'Did the authority sign exactly this?']],
  ['Certificate', ['the authority’s certificate', 'Is the certificate trusted here, and was it valid then?']],
  [
    'Evidence',
    ['the evidence of the time stamp', 'Was the time stamp there while its certificate was valid?'],
  ],
  ['Witnesses', ['what the service had seen', 'What had the service seen when it accepted the item?']],
  ['Entropy Source', ['the public sources', 'Do the public sources confirm what the witnesses say?']],
  ['Submission Window', ['the time of submission', 'Was it submitted before its block was closed?']],
  ['Temporal Info', ['the times that it names', 'Which times does it name?']],
  ['Submitted After', ['the earliest possible moment', 'After which moment must it have been made?']],
  ['Submitted Before', ['the latest possible moment', 'Before which moment must it have been made?']],
])
