// A report for people: its rows by step, how many have each status, and the times that it names.
import { CHAIN_NAMES, CHAINS, type ChainName, commitmentStep } from '../proof/public_chains.ts'
import type { Report, Row, RowStatus, Temporal } from '../proof/verify/report.ts'
import type { BundleFacts, ChainFacts } from './bundle_facts.ts'
import { stepWords } from './step_words.ts'
import type { Verdict } from './verdict.ts'

/** Such as `12 passed` and `2 not checked`. A status that no row has is left out. */
export const reportCounts = ({ steps }: { readonly steps: readonly Row[] }): string[] =>
  COUNTED.map(([status, word]) => [steps.filter((row) => row.status === status).length, word] as const)
    .filter(([count]) => count > 0)
    .map(([count, word]) => `${count} ${word}`)

const COUNTED: readonly (readonly [RowStatus, string])[] = [
  ['pass', 'passed'],
  ['fail', 'failed'],
  ['warn', 'to note'],
  ['info', 'for information'],
  ['skip', 'not checked'],
]

/** In the order in which the steps ran. */
export function stepGroups({ steps }: { readonly steps: readonly Row[] }) {
  const byName = new Map<string, Row[]>()
  for (const row of steps) byName.set(row.group, [...(byName.get(row.group) ?? []), row])
  return [...byName].map(([name, rows]) => ({
    name,
    rows,
    /** The worst status of its rows. `skip` only when every row is `skip`. */
    status: SEVERITY.find((status) => rows.some((row) => row.status === status)) ?? 'skip',
    ...stepWords(name),
  }))
}

export type StepGroup = ReturnType<typeof stepGroups>[number]

const SEVERITY: readonly RowStatus[] = ['fail', 'warn', 'pass', 'info', 'skip']

/**
 * Each with a name such as `on Bitcoin`. The signature does not cover the time of a commitment, so the time is only claimed until a lookup at the
 * chain confirms it. Of a bundle that is not valid, or whose key nobody at hand knows, every time is only claimed.
 */
export const namedTimes = (
  { temporal, steps }: Pick<Report, 'temporal' | 'steps'>,
  verdict: Verdict,
  { chains }: Pick<BundleFacts, 'chains'>,
) =>
  TIMES.flatMap(({ member, name, on }) => {
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
