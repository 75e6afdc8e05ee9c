// Checks of times: whether the ids, the claims and the chains agree about when; and of an item's witnesses: what was
// public before the item existed, and where the item stood on the ledger.
import { type Carried, carried, readBlock } from '../bundle/bundle_parts.ts'
import type { ReadBundle, ReadSubject } from '../bundle/read_bundle.ts'
import { uuid7Time } from '../ids.ts'
import { isJsonObject } from '../json_value.ts'
import { CHAIN_NAMES, type ChainName } from '../public_chains.ts'
import { hexBytes, momentOf, sameBytes, sameSecond, shown, textOf, utcSeconds } from './carried_values.ts'
import { derivedBlockHash } from './derived_hashes.ts'
import type { Examination } from './examination.ts'
import type { WitnessFact } from './facts.ts'
import { type Finding, fail, info, pass, skip, type Temporal, warn } from './report.ts'
import { itemTime } from './subject_checks.ts'

export function temporalOf(bundle: ReadBundle): Temporal {
  const { subject, type, commitments } = bundle
  const claims = type === 'item' && isJsonObject(subject?.data) ? subject.data : undefined
  const first = (chain: ChainName): number | undefined =>
    momentOf(commitments.find((entry) => entry.chain === chain)?.timestamp)
  const times: [keyof Temporal, number | undefined][] = [
    ['claimed_at', claims === undefined ? undefined : momentOf(carried(claims, 'timestamp'))],
    [type === 'item' ? 'submitted_at' : 'captured_at', subjectTime(bundle)],
    ['committed_at', blockTime(bundle)],
    ...CHAIN_NAMES.map((chain): [keyof Temporal, number | undefined] => [`${chain}_commit`, first(chain)]),
  ]
  const existing = times.flatMap(([name, ms]): [keyof Temporal, string][] => {
    const text = utcSeconds(ms)
    return text === undefined ? [] : [[name, text]]
  })
  return Object.fromEntries(existing)
}

export function submissionWindow({ bundle }: Examination): Finding[] {
  const ofSubject = subjectTime(bundle)
  const ofBlock = blockTime(bundle)
  if (ofSubject === undefined || ofBlock === undefined) return []
  return ofSubject <= ofBlock
    ? [pass('The time in the id of the subject is not after that in the id of the block.')]
    : [fail('The time in the id of the subject is after that in the id of the block.')]
}

export function temporalInfo({ temporal }: Examination): Finding[] {
  const times = Object.entries(temporal).map(([name, time]) => `${name} ${time}`)
  return [info(times.length === 0 ? 'The bundle tells no times.' : `Times as carried: ${times.join(', ')}.`)]
}

export function submittedBefore({ bundle, chains }: Examination): Finding[] {
  const entries = bundle.commitments.map((entry) => {
    const verdict = chains.get(entry)
    const shownAt = verdict?.isConfirmed === true ? verdict.shownAt : undefined
    return { chain: entry.chain, moment: momentOf(entry.timestamp), shownAt }
  })
  const blockMade = blockTime(bundle)
  const tooEarly = entries.find(
    ({ shownAt }) => blockMade !== undefined && shownAt !== undefined && shownAt < blockMade - MOST_AHEAD_MS,
  )
  if (tooEarly !== undefined)
    return [
      fail(
        `A commitment to ${tooEarly.chain} is of ${utcSeconds(tooEarly.shownAt)}, long before the time in the id of the block it is about.`,
      ),
    ]
  const momentsOf = (isShown: boolean) =>
    entries
      .filter(({ moment, shownAt }) => sameSecond(moment, shownAt) === isShown)
      .map(({ moment }) => moment)
  const [confirmed] = inOrder(momentsOf(true))
  const [unconfirmed] = inOrder(momentsOf(false))
  if (confirmed === undefined)
    return [
      info(
        unconfirmed === undefined
          ? 'No commitment tells before what time the subject existed.'
          : `The bundle names ${utcSeconds(unconfirmed)} as the time of a commitment; no chain confirmed it.`,
      ),
    ]
  const edge = pass(
    `The subject existed before ${utcSeconds(confirmed)}, the time that the chain shows for its commitment.`,
  )
  return unconfirmed !== undefined && unconfirmed < confirmed
    ? [edge, info(`A commitment that no chain confirmed names ${utcSeconds(unconfirmed)}.`)]
    : [edge]
}

/**
 * A chain may show a time up to this much before the time in the block's id, because a miner's clock may be
 * slow. An earlier time is a failure.
 */
const MOST_AHEAD_MS = 2 * 3_600_000

/** Milliseconds since 1970, from the id of the item or observation. */
function subjectTime({ type, subject }: ReadBundle): number | undefined {
  if (subject === undefined) return undefined
  return type === 'item' ? itemTime(subject) : uuid7Time(textOf(subject.id) ?? '')
}

function blockTime({ block }: ReadBundle): number | undefined {
  return uuid7Time(textOf(block.id) ?? '')
}

/** The times that can be told, the earliest first. */
const inOrder = (times: readonly (number | undefined)[]): number[] =>
  times
    .flatMap((time) => (time === undefined || utcSeconds(time) === undefined ? [] : [time]))
    .sort((a, b) => a - b)

export function witnesses({ bundle, facts }: Examination): Finding[] {
  if (bundle.layout === 'compact') return [skip('The compact layout carries no witnesses.')]
  if (bundle.subject === undefined) return [skip('Only an item has witnesses.')]
  const broken = brokenFindings(bundle.subject)
  if (facts.witnesses.length === 0 && broken.length === 0)
    return [skip('No witness is committed or carried.')]
  const submittedAt = bundle.type === 'item' ? itemTime(bundle.subject) : undefined
  const found = facts.witnesses.flatMap((witness) => [
    stateFinding(witness),
    ...(witness.name === 'block' && witness.state === 'matched'
      ? [positionFinding(bundle, witness.hash)]
      : []),
    ...lateFindings(witness, submittedAt),
  ])
  return [...broken, ...found]
}

export function submittedAfter({ bundle, facts, entropy }: Examination): Finding[] {
  if (bundle.subject === undefined) return [skip('A block is not submitted.')]
  const shownOnes = facts.witnesses.filter(({ state }) => state === 'matched' || state === 'unmatched')
  if (shownOnes.length === 0) return [info('No witness tells after what the subject was submitted.')]
  const isConfirmed = ({ name }: WitnessFact): boolean =>
    entropy.some((asked) => asked.isWitness && asked.name === name && asked.verdict.isConfirmed)
  const latestConfirmed = latest(shownOnes.filter(isConfirmed))
  const latestMatched = latest(shownOnes.filter(({ state }) => state === 'matched'))
  return [...shownOnes.map(publishedFinding), edgeFinding(latestConfirmed, latestMatched)]
}

/** Witnesses are identified by name. When the names cannot be read, nothing can be checked. */
function brokenFindings({ committedWitnesses: committed, witnesses: details }: ReadSubject): Finding[] {
  return [
    ...(committed === undefined || isJsonObject(committed)
      ? []
      : [fail('The witnesses that the metadata commits to are no map.')]),
    ...(details === undefined || isJsonObject(details) ? [] : [fail('The carried witnesses are no map.')]),
  ]
}

function stateFinding({ name, state }: WitnessFact): Finding {
  switch (state) {
    case 'unknown':
      return skip(`${shown(name)} is no witness we know.`)
    case 'not_carried':
      return skip(`The witness ${name} is committed to, but not carried.`)
    case 'not_committed':
      return fail(`The witness ${name} is carried, but the metadata does not commit to it.`)
    case 'matched':
      return pass(`The witness ${name} hashes to what the metadata commits to.`)
    case 'unmatched':
      return fail(`The witness ${name} does not hash to what the metadata commits to.`)
    default:
      return state satisfies never
  }
}

/** Checks that the head of the ledger at submission comes before the block that holds the item. */
function positionFinding({ block, blockPath }: ReadBundle, head: Uint8Array | undefined): Finding {
  const previous = hexBytes(block.previousBlockHash, 32)
  if (sameBytes(previous, head)) return pass('The block follows the witnessed head of the ledger directly.')
  return sameBytes(previous, endOfPath(blockPath, head))
    ? pass('The block follows the witnessed head of the ledger through the carried blocks.')
    : fail('Nothing carried links the block to the witnessed head of the ledger.')
}

/** The hash of the last block of a path that starts at `head`. Undefined when the blocks do not link. */
function endOfPath(blockPath: Carried, head: Uint8Array | undefined): Uint8Array | undefined {
  if (!Array.isArray(blockPath) || blockPath.length === 0) return undefined
  let hash = head
  for (const map of blockPath) {
    if (!isJsonObject(map)) return undefined
    const block = readBlock(map)
    if (!sameBytes(hexBytes(block.previousBlockHash, 32), hash)) return undefined
    hash = derivedBlockHash(block)
  }
  return hash
}

function lateFindings({ name, state, publishedAt }: WitnessFact, submittedAt: number | undefined): Finding[] {
  if (name === 'block' || state !== 'matched' || publishedAt === undefined || submittedAt === undefined)
    return []
  return publishedAt > submittedAt
    ? [warn(`The witness ${name} was published after the time in the item's id.`)]
    : []
}

function publishedFinding({ name, state, publishedAt }: WitnessFact): Finding {
  if (state !== 'matched') return info(`The witness ${name} is not counted: it does not match.`)
  const time = utcSeconds(publishedAt)
  return info(
    time === undefined
      ? `The witness ${name} tells no time.`
      : `The witness ${name} was published at ${time}.`,
  )
}

function edgeFinding(confirmed: number | undefined, matched: number | undefined): Finding {
  if (confirmed !== undefined)
    return pass(`The subject was submitted after ${utcSeconds(confirmed)}, confirmed by a public source.`)
  return info(
    matched === undefined
      ? 'No matched witness tells after what time the subject was submitted.'
      : `The subject was submitted after ${utcSeconds(matched)}, as far as the witnesses go that no source confirmed.`,
  )
}

const latest = (facts: readonly WitnessFact[]): number | undefined =>
  inOrder(facts.map(({ publishedAt }) => publishedAt)).at(-1)
