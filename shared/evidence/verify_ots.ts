// Verifies an .ots file of any origin: its operations lead from the digest of a file to the Merkle root of a Bitcoin block,
// and whether that block has this root is asked of a public service, or is known to the reader.
import { displayHash } from '../proof/bitcoin/bitcoin_bytes.ts'
import { type Lookups, look } from '../proof/lookups/lookup.ts'
import { bitcoinBlockAt } from '../proof/lookups/public_services.ts'
import type { OtsHash } from '../proof/opentimestamps/ots_format.ts'
import { attestedMessages, type OtsAttested, type ReadOts } from '../proof/opentimestamps/read_ots.ts'
import { shown, utcSeconds } from '../proof/verify/carried_values.ts'
import { type Finding, fail, info, pass, type Row, warn, warningsIn } from '../proof/verify/report.ts'
import { failedSteps } from '../verifier/step_words.ts'
import { type Judgement, shownTime } from '../verifier/verdict.ts'
import { digestFindings, inGroup } from './rows.ts'

/** `not_yet`: calendars have promised a proof. `not_asked`: nobody has said which Merkle root the block has. */
export type OtsVerdict = 'valid' | 'not_yet' | 'not_asked' | 'not_valid'

type OtsReport = Readonly<Awaited<ReturnType<typeof verifyOts>>>

interface NamedBlock {
  readonly height: number
  /** 64 hex, as Bitcoin shows it. */
  readonly merkleRoot: string
  /** Who has said that the block has this root: a public service about a network, or the reader. */
  readonly confirmedBy?: 'mainnet' | 'testnet' | 'reader'
  /** Milliseconds since 1970, by the public service. */
  readonly time?: number
}

interface OtsSources {
  /** When absent, no chain is asked. */
  readonly lookups?: Lookups | undefined
  /** Merkle roots that the reader has looked up, by height: 64 hex, as Bitcoin shows them. */
  readonly merkleRoots?: ReadonlyMap<number, string> | undefined
  /**
   * Whether the service at hand commits to a development chain only. An .ots file names no network, and one that this service made
   * is about a block of that chain, so that at Bitcoin a true one would seem forged.
   */
  readonly isTrial?: boolean
}

type BlockWord = 'block' | 'Bitcoin block'

/** @param fileDigest of the file at hand, by the hash function that `read.hashType` names */
export async function verifyOts(read: ReadOts, sources: OtsSources, fileDigest?: Uint8Array) {
  const attested = attestedMessages(read)
  const checked: CheckedBlock[] = []
  // One after the other: a file that somebody else has made does not decide how many requests run at once.
  for (const [at, block] of blocksOf(attested).entries())
    checked.push(await checkBlock(block, at < MOST_LOOKUPS ? sources : { ...sources, lookups: undefined }))
  /** The Bitcoin blocks that the file names, each once. */
  const blocks = checked.flatMap(({ block }) => block ?? [])
  const isOpen = sources.isTrial === true && blocks.length > 0
  const known = attested.filter(({ attestation: { kind } }) => kind !== 'unknown')
  const rows: Row[] = [
    ...inGroup('Digest', digestFindings({ type: read.hashType, value: read.digest }, fileDigest)),
    ...inGroup('Bitcoin', isOpen ? [warn(OF_DEVELOPMENT_CHAIN)] : []),
    ...inGroup('Bitcoin', besideEachOther(checked)),
    ...inGroup('Calendar', promiseFindings(attested)),
    ...inGroup('Bitcoin', known.length > 0 ? [] : [fail('No attestation in it is of a kind that is known.')]),
  ]
  const blockWord = blockWordOf(sources)
  const blockNames = new Map(blocks.map(({ height }) => [height, `${blockWord} ${height}`]))
  return { verdict: verdictOf(rows, blocks), rows, blocks, blockWord, blockNames }
}

const OF_DEVELOPMENT_CHAIN =
  'If this service made this file, its block is on the development chain of this service, not on Bitcoin, and proves nothing to outsiders.'

const blockWordOf = ({ isTrial = false }: OtsSources): BlockWord => (isTrial ? 'block' : 'Bitcoin block')

/** Files of the usual client name one block for each calendar, and there are four of those. */
const MOST_LOOKUPS = 8

/** One block is enough: whoever puts a false one beside it takes nothing from it. */
function besideEachOther(checked: readonly CheckedBlock[]): Finding[] {
  const isConfirmed = checked.some(({ block }) => block?.confirmedBy !== undefined)
  return checked
    .flatMap(({ findings }) => findings)
    .map((finding) => (isConfirmed && finding.status === 'fail' ? warn(finding.message) : finding))
}

function verdictOf(rows: readonly Row[], blocks: readonly NamedBlock[]): OtsVerdict {
  if (rows.some(({ status }) => status === 'fail')) return 'not_valid'
  if (blocks.some(({ confirmedBy }) => confirmedBy !== undefined)) return 'valid'
  return blocks.length > 0 ? 'not_asked' : 'not_yet'
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
  /** Undefined when what is attested is no Merkle root. */
  readonly block?: NamedBlock
  readonly findings: readonly Finding[]
}

async function checkBlock(block: NamedBlock, sources: OtsSources): Promise<CheckedBlock> {
  const { lookups, merkleRoots } = sources
  const { height, merkleRoot } = block
  const named = `${blockWordOf(sources)} ${height}`
  if (merkleRoot.length !== 64)
    return { findings: [fail('The operations lead to something else than a Merkle root.')] }
  const entered = merkleRoots?.get(height)
  if (entered !== undefined) return compareEntered(block, entered, named)
  if (lookups !== undefined) return askBlock(lookups, block)
  return {
    block,
    findings: [warn(`${capital(named)} must have Merkle root ${merkleRoot}: that was not looked up.`)],
  }
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

function compareEntered(block: NamedBlock, entered: string, named: string): CheckedBlock {
  const { merkleRoot } = block
  if (entered !== merkleRoot)
    return {
      block,
      findings: [fail(`The Merkle root that was entered for ${named} is not that of the operations.`)],
    }
  return {
    block: { ...block, confirmedBy: 'reader' },
    findings: [
      pass(`The operations lead to the Merkle root that was entered for ${named}.`),
      warn(
        `The Merkle root of ${named} came from you, and nobody was asked: this says as much as the place where you looked it up.`,
      ),
    ],
  }
}

/** An attestation names no network, so the test network is asked about what is not on the main one. */
async function askBlock(lookups: Lookups, block: NamedBlock): Promise<CheckedBlock> {
  const { height, merkleRoot } = block
  const main = await look(lookups, bitcoinBlockAt('mainnet', height))
  if (main.outcome === 'unreachable')
    return { block, findings: [warn(`Bitcoin block ${height} could not be looked up: ${main.why}.`)] }
  if (main.outcome === 'found' && main.value.merkleRoot === merkleRoot)
    return confirmed(block, 'mainnet', main.value.timestamp)
  const other =
    main.outcome === 'found'
      ? `Block ${height} of Bitcoin mainnet has Merkle root ${shown(main.value.merkleRoot)}, not ${merkleRoot}.`
      : `Block ${height} of Bitcoin mainnet is not there.`
  const test = await look(lookups, bitcoinBlockAt('testnet', height))
  if (test.outcome === 'found' && test.value.merkleRoot === merkleRoot)
    return confirmed(block, 'testnet', test.value.timestamp)
  if (test.outcome === 'unreachable')
    return { block, findings: [warn(`${other} That of testnet could not be looked up: ${test.why}.`)] }
  return {
    block,
    findings: [
      fail(`${other} The attestation is of another network, such as a development chain, or it is false.`),
    ],
  }
}

const confirmed = (block: NamedBlock, confirmedBy: 'mainnet' | 'testnet', seconds: number): CheckedBlock => ({
  block: { ...block, confirmedBy, time: seconds * 1_000 },
  findings: [
    pass(
      `Block ${block.height} of Bitcoin ${confirmedBy} has the Merkle root to which the operations lead. It was made ${utcSeconds(seconds * 1_000) ?? 'at no known time'}.`,
    ),
    ...(confirmedBy === 'mainnet'
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

export const judgeOts = ({ hashType }: ReadOts, report: OtsReport): Judgement<OtsVerdict> => ({
  verdict: report.verdict,
  headline:
    report.verdict === 'not_asked' && report.blockWord === 'block'
      ? 'Not confirmed: what does its chain say?'
      : HEADLINES[report.verdict],
  sentence: sentenceOf(hashType, report),
  reservations: report.verdict === 'not_valid' ? [] : warningsIn(report.rows),
})

const HEADLINES: Readonly<Record<OtsVerdict, string>> = {
  valid: 'Valid',
  not_yet: 'Not yet',
  not_asked: 'Not confirmed: what does Bitcoin say?',
  not_valid: 'Not valid',
}

function sentenceOf(hashType: OtsHash, { verdict, rows, blocks, blockWord }: OtsReport): string {
  switch (verdict) {
    case 'valid':
      return `What has this ${hashType} digest was there when ${firstConfirmed(blocks, blockWord)}.`
    case 'not_yet':
      return 'No Bitcoin block attests to this so far, as far as this file knows. Calendars have promised that one will: “ots upgrade” asks them for it.'
    case 'not_asked':
      return `The steps lead to the Merkle root that ${blockWord} ${blocks.map(({ height }) => height).join(', ')} must have. Whether it has that is not known here.`
    case 'not_valid':
      return `Failed: ${failedSteps(rows)}.`
    default:
      return verdict satisfies never
  }
}

/** The earliest block, but one of the test network only when there is no other. */
function firstConfirmed(blocks: readonly NamedBlock[], blockWord: BlockWord): string {
  const confirmed = blocks.filter(({ confirmedBy }) => confirmedBy !== undefined)
  const lasting = confirmed.filter(({ confirmedBy }) => confirmedBy !== 'testnet')
  const [first] = (lasting.length > 0 ? lasting : confirmed).toSorted((a, b) => a.height - b.height)
  if (first === undefined) return 'no known block was made'
  const named = first.confirmedBy === 'testnet' ? 'Bitcoin testnet block' : blockWord
  const made = first.time === undefined ? '' : `, ${shownTime(utcSeconds(first.time) ?? 'at no known time')}`
  const entered = first.confirmedBy === 'reader' ? ', if it has the Merkle root that was entered' : ''
  return `${named} ${first.height} was made${made}${entered}`
}
