// `pharos info`: what is in a proof, as it says itself. Nothing of it is judged here.
import type { ClientCommand } from '../../../shared/cli/command.ts'
import { Complaint, printable, sayDocument } from '../../../shared/cli/terminal.ts'
import type { EvidenceFile } from '../../../shared/evidence/evidence.ts'
import type { Manifest } from '../../../shared/evidence/manifest.ts'
import { BundleRejected } from '../../../shared/proof/bundle/bundle_parts.ts'
import { type ReadBundle, readBundleObject } from '../../../shared/proof/bundle/read_bundle.ts'
import { readOrError, toHex } from '../../../shared/proof/bytes.ts'
import { ulidTime } from '../../../shared/proof/ids.ts'
import { canonicalJson, type JsonObject } from '../../../shared/proof/json_value.ts'
import { attestedMessages, type ReadOts } from '../../../shared/proof/opentimestamps/read_ots.ts'
import { textOf, utcSeconds } from '../../../shared/proof/verify/carried_values.ts'
import type { ReadTimeStamp } from '../../../shared/time_stamps/read_time_stamp.ts'
import { bundleFacts } from '../../../shared/verifier/bundle_facts.ts'
import { type ClientProof, factsOfLogProof, readGiven } from '../given_proof.ts'

export const info: ClientCommand = {
  usage: '<proof> [--json]',
  meaning: 'prints what is in a proof, without judging it',
  help: `
<proof> is a file that "verify" takes, or - for standard input. What it says of itself is printed, be it true or not.`,
  options: { json: { meaning: 'prints it as JSON' } },
  exits: { 0: 'it was read', 2: 'it could not be read' },
  run: async ({ terminal, values }, [source, ...more]) => {
    if (source === undefined || more.length > 0)
      throw new Complaint('Name one proof, or - for standard input.')
    const facts = factsOf(await readGiven(terminal, source))
    if (values.json === true) {
      sayDocument(terminal, Object.fromEntries(facts))
      return 0
    }
    terminal.say(`This is what it says of itself. Whether that is true is for "verify" to say.`)
    terminal.say('')
    for (const [name, value] of facts)
      for (const [at, line] of (Array.isArray(value) ? value : [String(value)]).entries())
        terminal.say(`  ${(at === 0 ? name.replaceAll('_', ' ') : '').padEnd(NAME_WIDTH)} ${printable(line)}`)
    return 0
  },
}

const NAME_WIDTH = 16

type Fact = readonly [name: string, value: string | number | string[]]

function factsOf(given: ClientProof): Fact[] {
  switch (given.kind) {
    case 'bundle':
      return [['kind', 'proof bundle'], ...factsOfBundle(given.read)]
    case 'ots':
      return [['kind', 'OpenTimestamps proof'], ...factsOfOts(given.read)]
    case 'time_stamp':
      return [['kind', 'RFC 3161 time stamp'], ...factsOfTimeStamp(given.read)]
    case 'evidence':
      return given.manifest === undefined
        ? [
            ['kind', kindOf('evidence', given.evidence)],
            ...factsOfDigest(given.evidence),
            ...factsOfItem(given.evidence, EVIDENCE),
          ]
        : [
            ['kind', kindOf('manifest', given.evidence)],
            ...factsOfManifest(given.manifest),
            ...factsOfItem(given.evidence, MANIFEST),
          ]
    default:
      return given satisfies never
  }
}

const kindOf = (what: string, { bundle }: EvidenceFile): string =>
  bundle === undefined ? `${what} without a proof so far` : `${what} with its proof`

const present = (name: string, value: string | number | undefined): Fact[] =>
  value === undefined ? [] : [[name, value]]

function factsOfDigest({ digest, name, trees, timeStamp }: EvidenceFile): Fact[] {
  return [
    ['digest', `${digest.type} ${toHex(digest.value)}`],
    ...present('name', name),
    ...trees.map(({ size, index, salt }, at): Fact => {
      const salted = salt === undefined ? '' : ', salted'
      return [at === 0 ? 'tree' : 'tree_above', `entry ${index} of ${size}${salted}`]
    }),
    ...present('time_stamp', timeStamp && 'an RFC 3161 token'),
  ]
}

const factsOfManifest = ({ header: { size, above } }: Manifest): Fact[] => [
  ['files', size - 1],
  ...above.map(({ size: of, index }): Fact => ['tree_above', `entry ${index} of ${of}`]),
]

function factsOfItem(
  { item, bundle, logProof, document }: EvidenceFile,
  { known, own }: typeof EVIDENCE,
): Fact[] {
  const strangers = Object.keys(document).filter((member) => !known.includes(member) && !own.includes(member))
  return [
    ['service', item.service],
    ['item', item.id],
    ...present('accepted_at', utcSeconds(ulidTime(item.id))),
    ['claims', canonicalJson(item.claims)],
    ['signing_key', toHex(item.signingKeyId)],
    ...(bundle === undefined ? [] : factsOfCarried(bundle)),
    ...(logProof === undefined ? [] : factsOfLog(logProof)),
    ...(strangers.length === 0 ? [] : [['unknown_members', strangers] satisfies Fact]),
  ]
}

/** Members that have a meaning. What is read of a manifest is made into evidence. */
const EVIDENCE = {
  known: ['item', 'trees', 'bundle', 'log_proof'],
  own: ['pharos_evidence', 'digest', 'name', 'time_stamp'],
}
const MANIFEST = { ...EVIDENCE, own: ['pharos_evidence', 'digest'] }

function factsOfCarried(bundle: JsonObject): Fact[] {
  const read = readOrError(() => readBundleObject(bundle), BundleRejected)
  if (read instanceof BundleRejected) return [['bundle', 'cannot be read']]
  return factsOfBundle(read).filter(([name]) => name !== 'name')
}

function factsOfBundle(read: ReadBundle): Fact[] {
  const { keyId, name, claimedHash, blockId, chains } = bundleFacts(read)
  return [
    ['proof_of', `${read.type} ${textOf(read.subject?.id) ?? blockId ?? '(no id)'}`],
    ['layout', read.layout],
    ...present('name', name),
    ...present('hash', claimedHash && `${claimedHash.type} ${claimedHash.hex}`),
    ...present('block', blockId),
    ...present('proof_key', keyId),
    ['public_chains', chains.map(({ chain, network }) => `${chain} ${network}`)],
  ]
}

function factsOfLog(text: string): Fact[] {
  const facts = factsOfLogProof(text)
  if (facts === undefined) return [['public_log', 'cannot be read']]
  return [
    ['public_log', `entry ${facts.index} of ${facts.size} of ${facts.origin}`],
    ['log_signatures', facts.signatures],
  ]
}

const factsOfTimeStamp = ({ imprint, timeMs, serial, certificates }: ReadTimeStamp): Fact[] => [
  ['digest', `${imprint.hash ?? 'unknown'} ${toHex(imprint.digest)}`],
  ...present('time', utcSeconds(timeMs)),
  ['serial_number', serial.toString(16)],
  ['certificates', certificates.length],
]

const factsOfOts = (read: ReadOts): Fact[] => [
  ['digest', `${read.hashType} ${toHex(read.digest)}`],
  [
    'attestations',
    attestedMessages(read).map(({ attestation }) => {
      switch (attestation.kind) {
        case 'bitcoin':
          return `Bitcoin block ${attestation.height}`
        case 'pending':
          return `promised by ${attestation.address}`
        case 'unknown':
          return `of an unknown kind (${toHex(attestation.tag)})`
        default:
          return attestation satisfies never
      }
    }),
  ],
]
