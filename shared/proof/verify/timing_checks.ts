// The checks of times: what the ids, the claims and the chains say about when.
import type { ReadEntry } from '../bundle/bundle_parts.ts'
import { carried } from '../bundle/bundle_parts.ts'
import type { ReadBundle } from '../bundle/read_bundle.ts'
import { isJsonObject } from '../json_value.ts'
import { uuid7Time } from '../uuid7.ts'
import { momentOf, textOf, utcSeconds } from './carried_values.ts'
import type { Examination } from './examination.ts'
import { type Finding, fail, info, pass } from './finding.ts'
import type { Temporal } from './report.ts'
import { itemTime } from './subject_checks.ts'

export function temporalOf(bundle: ReadBundle): Temporal {
  const { subject, type, commitments } = bundle
  const claims = type === 'item' && isJsonObject(subject?.data) ? subject.data : undefined
  const first = (chain: ReadEntry['chain']): number | undefined =>
    momentOf(commitments.find((entry) => entry.chain === chain)?.timestamp)
  const times: [keyof Temporal, number | undefined][] = [
    ['claimed_at', claims === undefined ? undefined : momentOf(carried(claims, 'timestamp'))],
    [type === 'item' ? 'submitted_at' : 'captured_at', subjectTime(bundle)],
    ['committed_at', blockTime(bundle)],
    ['stellar_commit', first('stellar')],
    ['bitcoin_commit', first('bitcoin')],
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
  const isConfirmed = (entry: ReadEntry): boolean => chains.get(entry)?.isConfirmed === true
  const confirmed = earliest(bundle.commitments.filter(isConfirmed))
  const unconfirmed = earliest(bundle.commitments.filter((entry) => !isConfirmed(entry)))
  if (confirmed === undefined)
    return [
      info(
        unconfirmed === undefined
          ? 'No commitment tells before what time the subject existed.'
          : `The subject existed before ${utcSeconds(unconfirmed)}, as the bundle says and no chain confirmed.`,
      ),
    ]
  const edge = pass(
    `The subject existed before ${utcSeconds(confirmed)}, the time carried with a commitment that its chain confirmed.`,
  )
  return unconfirmed !== undefined && unconfirmed < confirmed
    ? [edge, info(`A commitment that was not confirmed says ${utcSeconds(unconfirmed)}.`)]
    : [edge]
}

/** Milliseconds since 1970 in the id of what was submitted or captured. */
function subjectTime({ type, subject }: ReadBundle): number | undefined {
  if (subject === undefined) return undefined
  return type === 'item' ? itemTime(subject) : uuid7Time(textOf(subject.id) ?? '')
}

function blockTime({ block }: ReadBundle): number | undefined {
  return uuid7Time(textOf(block.id) ?? '')
}

function earliest(entries: readonly ReadEntry[]): number | undefined {
  let found: number | undefined
  for (const { timestamp } of entries) {
    const moment = momentOf(timestamp)
    if (moment !== undefined && utcSeconds(moment) !== undefined && (found === undefined || moment < found))
      found = moment
  }
  return found
}
