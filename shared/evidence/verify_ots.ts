// Verifies an .ots file of any origin: its operations lead from the digest of a file to the Merkle root of a Bitcoin block,
// and whether that block has this root is asked of a public service, or is known to the reader.
import { displayHash } from '../proof/bitcoin/bitcoin_bytes.ts'
import { bytesEqual } from '../proof/bytes.ts'
import { type Lookups, look } from '../proof/lookups/lookup.ts'
import { bitcoinBlockAt } from '../proof/lookups/public_services.ts'
import { attestedMessages, type OtsAttested, type ReadOts } from '../proof/opentimestamps/read_ots.ts'
import { shown, utcSeconds } from '../proof/verify/carried_values.ts'
import {
  type Finding,
  fail,
  info,
  pass,
  type Row,
  type RowCategory,
  skip,
  warn,
} from '../proof/verify/report.ts'
import { type Judgement, shownTime } from '../verifier/verdict.ts'

/** `not_yet`: calendars have promised a proof. `not_asked`: nobody has said which Merkle root the block has. */
export type OtsVerdict = 'valid' | 'not_yet' | 'not_asked' | 'not_valid'

export interface OtsReport {
  readonly verdict: OtsVerdict
  readonly rows: readonly Row[]
  /** The Bitcoin blocks that the file names, each once. */
  readonly blocks: readonly NamedBlock[]
}

interface NamedBlock {
  readonly height: number
  /** 64 hex, as Bitcoin shows it. */
  readonly merkleRoot: string
  /** Milliseconds since 1970. Only when a public service has said that the block has this root. */
  readonly time?: number
}

export interface OtsSources {
  /** When absent, no chain is asked. */
  readonly lookups?: Lookups | undefined
  /** Merkle roots that the reader has looked up, by height: 64 hex, as Bitcoin shows them. */
  readonly merkleRoots?: ReadonlyMap<number, string> | undefined
}

/** @param fileDigest of the file at hand, by the hash function that `read.hashType` names */
export async function verifyOts(
  read: ReadOts,
  sources: OtsSources,
  fileDigest?: Uint8Array,
): Promise<OtsReport> {
  const attested = attestedMessages(read)
  const blocks = blocksOf(attested)
  const checked: CheckedBlock[] = []
  // One after the other: a file that somebody else has made does not decide how many requests run at once.
  for (const [at, block] of blocks.entries())
    checked.push(
      at < MOST_BLOCKS
        ? await checkBlock(block, sources)
        : { block, findings: [skip(`Bitcoin block ${block.height} was not looked up: there are too many.`)] },
    )
  const known = attested.filter(({ attestation: { kind } }) => kind !== 'unknown')
  const rows: Row[] = [
    ...inGroup('Digest', digestFindings(read, fileDigest)),
    ...inGroup(
      'Bitcoin',
      checked.flatMap(({ findings }) => findings),
    ),
    ...inGroup('Calendar', promiseFindings(attested)),
    ...inGroup('Bitcoin', known.length > 0 ? [] : [fail('No attestation in it is of a kind that is known.')]),
  ]
  return { verdict: verdictOf(rows, blocks), rows, blocks: checked.map(({ block }) => block) }
}

const CATEGORIES = {
  Digest: 'data_integrity',
  Bitcoin: 'blockchain',
  Calendar: 'timing',
} as const satisfies Record<string, RowCategory>

const inGroup = (group: keyof typeof CATEGORIES, findings: readonly Finding[]): Row[] =>
  findings.map(({ status, message }) => ({ group, category: CATEGORIES[group], status, message }))

/** Files of the usual client name one block for each calendar, and there are four of those. */
const MOST_BLOCKS = 8

function verdictOf(rows: readonly Row[], blocks: readonly NamedBlock[]): OtsVerdict {
  if (rows.some(({ status }) => status === 'fail')) return 'not_valid'
  if (rows.some(({ group, status }) => group === 'Bitcoin' && status === 'pass')) return 'valid'
  return blocks.length > 0 ? 'not_asked' : 'not_yet'
}

function digestFindings({ digest, hashType }: ReadOts, fileDigest: Uint8Array | undefined): Finding[] {
  const weak = hashType === 'sha1' ? [warn('Two files with one sha1 digest can be made.')] : []
  if (fileDigest === undefined) return [warn('No file was compared with the digest.'), ...weak]
  return bytesEqual(fileDigest, digest)
    ? [pass(`The file has the ${hashType} digest that this is about.`), ...weak]
    : [fail(`The file has the ${hashType} digest ${shown(fileDigest)}, and this is about another.`), ...weak]
}

function blocksOf(attested: readonly OtsAttested[]): NamedBlock[] {
  const blocks = new Map<string, NamedBlock>()
  for (const { attestation, message } of attested) {
    if (attestation.kind !== 'bitcoin') continue
    const block = { height: attestation.height, merkleRoot: displayHash(message) }
    blocks.set(`${block.height} ${block.merkleRoot}`, block)
  }
  return [...blocks.values()]
}

interface CheckedBlock {
  readonly block: NamedBlock
  readonly findings: readonly Finding[]
}

async function checkBlock(block: NamedBlock, { lookups, merkleRoots }: OtsSources): Promise<CheckedBlock> {
  const { height, merkleRoot } = block
  const known = merkleRoots?.get(height)
  if (merkleRoot.length !== 64)
    return { block, findings: [fail('The operations lead to something else than a Merkle root.')] }
  if (known !== undefined)
    return {
      block,
      findings: [
        known === merkleRoot
          ? pass(`Bitcoin block ${height} has the Merkle root to which the operations lead.`)
          : fail(`Bitcoin block ${height} has Merkle root ${shown(known)}, not ${merkleRoot}.`),
      ],
    }
  if (lookups === undefined)
    return {
      block,
      findings: [
        warn(`Bitcoin block ${height} must have Merkle root ${merkleRoot}: that was not looked up.`),
      ],
    }
  return askBlock(lookups, block)
}

/** An attestation names no network, so the test network is asked about what is not on the main one. */
async function askBlock(lookups: Lookups, block: NamedBlock): Promise<CheckedBlock> {
  const { height, merkleRoot } = block
  const main = await look(lookups, bitcoinBlockAt('mainnet', height))
  if (main.outcome === 'unreachable')
    return { block, findings: [warn(`Bitcoin block ${height} could not be looked up: ${main.why}.`)] }
  if (main.outcome === 'found' && main.value.merkleRoot === merkleRoot)
    return confirmed(block, 'mainnet', main.value.timestamp)
  const test = await look(lookups, bitcoinBlockAt('testnet', height))
  if (test.outcome === 'found' && test.value.merkleRoot === merkleRoot)
    return confirmed(block, 'testnet', test.value.timestamp)
  const has =
    main.outcome === 'found'
      ? `has Merkle root ${shown(main.value.merkleRoot)}, not ${merkleRoot}`
      : 'is not there'
  return {
    block,
    findings: [
      fail(
        `Block ${height} of Bitcoin mainnet ${has}. The file is about another network, such as a development chain, or it is false.`,
      ),
    ],
  }
}

const confirmed = (block: NamedBlock, network: 'mainnet' | 'testnet', seconds: number): CheckedBlock => ({
  block: { ...block, time: seconds * 1_000 },
  findings: [
    pass(
      `Block ${block.height} of Bitcoin ${network} has the Merkle root to which the operations lead. It was made ${utcSeconds(seconds * 1_000) ?? 'at no known time'}.`,
    ),
    ...(network === 'mainnet'
      ? []
      : [warn('That is a network for trials, which is started anew: what stands there does not last.')]),
  ],
})

const promiseFindings = (attested: readonly OtsAttested[]): Finding[] =>
  attested.flatMap(({ attestation }) => {
    if (attestation.kind === 'pending')
      return [info(`The calendar at ${attestation.address} promises a proof.`)]
    return attestation.kind === 'unknown'
      ? [info('An attestation of an unknown kind counts for nothing.')]
      : []
  })

/** A report as JSON. */
export const shownOts = ({ digest, hashType }: ReadOts, { verdict, rows, blocks }: OtsReport): object => ({
  verdict,
  digest: { type: hashType, value: shown(digest) },
  rows,
  blocks,
})

export function judgeOts(
  { hashType }: ReadOts,
  { verdict, rows, blocks }: OtsReport,
): Omit<Judgement, 'verdict'> {
  const words = rows.filter(({ status }) => status === 'warn').map(({ message }) => message)
  const heights = blocks.map(({ height }) => height).join(', ')
  switch (verdict) {
    case 'valid': {
      const times = blocks.flatMap(({ time }) => (time === undefined ? [] : [time]))
      const made = times.length === 0 ? '' : `, ${shownTime(utcSeconds(Math.min(...times)) ?? '')}`
      return {
        headline: 'Valid',
        sentence: `What has this ${hashType} digest was there when Bitcoin block ${heights} was made${made}.`,
        reservations: words,
      }
    }
    case 'not_yet':
      return {
        headline: 'Not yet',
        sentence:
          'No Bitcoin block attests to this so far, as far as this file knows. Calendars have promised that one will: “ots upgrade” asks them for it.',
        reservations: words,
      }
    case 'not_asked':
      return {
        headline: 'Not confirmed: what does Bitcoin say?',
        sentence: `Every step leads to the Merkle root of Bitcoin block ${heights}. Whether that block has it was not checked.`,
        reservations: words,
      }
    case 'not_valid': {
      const failed = rows.filter(({ status }) => status === 'fail').map(({ group }) => group)
      return {
        headline: 'Not valid',
        sentence: `Failed: ${[...new Set(failed)].join(', ')}.`,
        reservations: [],
      }
    }
    default:
      return verdict satisfies never
  }
}
