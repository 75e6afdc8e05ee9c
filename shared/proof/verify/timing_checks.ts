// Checks of times: whether the ids, the claims and the chains agree about when.
import { carried, type ReadEntry } from '../bundle/bundle_parts.ts'
import type { ReadBundle } from '../bundle/read_bundle.ts'
import { isJsonObject } from '../json_value.ts'
import { CHAIN_NAMES, type ChainName } from '../public_chains.ts'
import { uuid7Time } from '../uuid7.ts'
import { momentOf, sameSecond, textOf, utcSeconds } from './carried_values.ts'
import type { Examination } from './examination.ts'
import { type Finding, fail, info, pass, type Temporal } from './report.ts'
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
  const shownAt = ({ entry }: { entry: ReadEntry }): number | undefined => {
    const verdict = chains.get(entry)
    return verdict?.isConfirmed === true ? verdict.shownAt : undefined
  }
  const entries = bundle.commitments.map((entry) => ({ entry, shownAt: shownAt({ entry }) }))
  const blockMade = blockTime(bundle)
  const tooEarly = entries.find(
    (one) => blockMade !== undefined && one.shownAt !== undefined && one.shownAt < blockMade - MOST_AHEAD_MS,
  )
  if (tooEarly !== undefined)
    return [
      fail(
        `A commitment to ${tooEarly.entry.chain} is of ${utcSeconds(tooEarly.shownAt)}, long before the time in the id of the block it is about.`,
      ),
    ]
  const isShown = (one: { entry: ReadEntry; shownAt: number | undefined }): boolean =>
    sameSecond(momentOf(one.entry.timestamp), one.shownAt)
  const confirmed = earliest(entries.filter(isShown))
  const unconfirmed = earliest(entries.filter((one) => !isShown(one)))
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

function earliest(entries: readonly { readonly entry: ReadEntry }[]): number | undefined {
  let found: number | undefined
  for (const { entry } of entries) {
    const moment = momentOf(entry.timestamp)
    if (moment !== undefined && utcSeconds(moment) !== undefined && (found === undefined || moment < found))
      found = moment
  }
  return found
}
