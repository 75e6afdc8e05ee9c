// Checks of an item's witnesses: what was public before the item existed, and where the item stood on the
// ledger.
import { type Carried, type ReadSubject, readBlock } from '../bundle/bundle_parts.ts'
import type { ReadBundle } from '../bundle/read_bundle.ts'
import { isJsonObject } from '../json_value.ts'
import { hexBytes, sameBytes, shown, utcSeconds } from './carried_values.ts'
import { derivedBlockHash } from './derived_hashes.ts'
import type { Examination } from './examination.ts'
import type { WitnessFact } from './facts.ts'
import { type Finding, fail, info, pass, skip, warn } from './report.ts'
import { itemTime } from './subject_checks.ts'

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

function latest(facts: readonly WitnessFact[]): number | undefined {
  const times = facts.flatMap(({ publishedAt }) =>
    publishedAt === undefined || utcSeconds(publishedAt) === undefined ? [] : [publishedAt],
  )
  return times.length === 0 ? undefined : Math.max(...times)
}
