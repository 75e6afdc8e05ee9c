// The times that a report names, and how reliable each is, in plain words.
import { CHAIN_NAMES, CHAINS, type ChainName, commitmentStep } from '../proof/public_chains.ts'
import type { Report, Temporal } from '../proof/verify/report.ts'
import type { BundleFacts, ChainFacts } from './bundle_facts.ts'
import type { Verdict } from './verdict.ts'

interface NamedTime {
  /** Such as `on Bitcoin`. */
  readonly name: string
  /** `2027-01-01T00:03:35Z`. */
  readonly time: string
}

/**
 * The signature does not cover the time of a commitment, so the time is only claimed until a lookup at the
 * chain confirms it. Of a bundle that is not valid, or whose key nobody at hand knows, every time is only claimed.
 */
export const namedTimes = (
  { temporal, steps }: Pick<Report, 'temporal' | 'steps'>,
  verdict: Verdict,
  { chains }: Pick<BundleFacts, 'chains'>,
): NamedTime[] =>
  TIMES.flatMap(({ member, name, on }): NamedTime[] => {
    const time = temporal[member]
    if (time === undefined) return []
    // The time that the submitter claims is called that in any case.
    if (member === 'claimed_at') return [{ name, time }]
    const isShown = verdict === 'valid' && (on === undefined || isConfirmed(steps, commitmentStep(on)))
    const named = on === undefined ? name : `${name}${networkWords(chains, on)}`
    return [{ name: isShown ? named : `${named}, as claimed`, time }]
  })

/** Says of every commitment that proves less than its chain's name suggests why, e.g. ` regtest`. */
const networkWords = (chains: BundleFacts['chains'], name: ChainName): string =>
  [...new Set(chains.filter(({ chain }) => chain === name).map(weaknessOf))]
    .filter((words) => words !== '')
    .join(' and')

const weaknessOf = ({ chain, network, lacksBlock }: ChainFacts): string =>
  `${network === CHAINS[chain].networks[0] ? '' : ` ${network}`}${lacksBlock ? ' without its block' : ''}`

interface TimeRow {
  readonly member: keyof Temporal
  readonly name: string
  /** The chain whose step confirms the time. Absent when the time is in a signed part. */
  readonly on?: ChainName
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
      on: chain,
    }),
  ),
]

/** Requires every entry of the chain to be confirmed, because a row does not say which entry it is about. */
const isConfirmed = (steps: Report['steps'], step: string): boolean => {
  const rows = steps.filter(({ group }) => group === step)
  return rows.some(({ status }) => status === 'pass') && rows.every(({ status }) => QUIET.has(status))
}

const QUIET: ReadonlySet<string> = new Set(['pass', 'info'])
