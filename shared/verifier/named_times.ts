// The times that a report names, and how reliable each is, in plain words.
import { CHAIN_NAMES, CHAINS, commitmentStep } from '../proof/public_chains.ts'
import type { Report, Temporal } from '../proof/verify/report.ts'
import type { Verdict } from './verdict.ts'

export interface NamedTime {
  /** Such as `on Bitcoin`. */
  readonly name: string
  /** `2027-01-01T00:03:35Z`. */
  readonly time: string
}

/**
 * The signature does not cover the time of a commitment, so the time is only claimed until a lookup at the
 * chain confirms it.
 */
export const namedTimes = (
  { temporal, steps }: Pick<Report, 'temporal' | 'steps'>,
  verdict: Verdict,
): NamedTime[] =>
  TIMES.flatMap(({ member, name, shownIn }): NamedTime[] => {
    const time = temporal[member]
    if (time === undefined) return []
    const isShown = shownIn === undefined || (verdict !== 'invalid' && isConfirmed(steps, shownIn))
    return [{ name: isShown ? name : `${name}, as claimed`, time }]
  })

interface TimeRow {
  readonly member: keyof Temporal
  readonly name: string
  /** The step that confirms the time. Absent when the time is in a signed part. */
  readonly shownIn?: string
}

const TIMES: readonly TimeRow[] = [
  { member: 'claimed_at', name: 'claimed' },
  { member: 'submitted_at', name: 'submitted' },
  { member: 'captured_at', name: 'captured' },
  { member: 'committed_at', name: 'in block' },
  ...CHAIN_NAMES.map(
    (chain): TimeRow => ({
      member: `${chain}_commit`,
      name: `on ${CHAINS[chain].title}`,
      shownIn: commitmentStep(chain),
    }),
  ),
]

/** Requires every entry of the chain to be confirmed, because a row does not say which entry it is about. */
const isConfirmed = (steps: Report['steps'], step: string): boolean => {
  const rows = steps.filter(({ group }) => group === step)
  return rows.some(({ status }) => status === 'pass') && rows.every(({ status }) => QUIET.has(status))
}

const QUIET: ReadonlySet<string> = new Set(['pass', 'info'])
