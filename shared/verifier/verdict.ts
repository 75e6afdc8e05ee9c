// The verdict of a report in one word, and its sentences: what the verdict rests on, and what was not
// checked.
import type { ReadBundle } from '../proof/bundle/read_bundle.ts'
import type { NamedKeyring } from '../proof/verify/keyring.ts'
import type { Report } from '../proof/verify/report.ts'
import { weakness } from '../proof/verify/subject_checks.ts'
import { type BundleFacts, bundleFacts } from './bundle_facts.ts'
import { failedSteps } from './step_words.ts'

/**
 * `key_open`: everything agrees, but no keyring has the key that signed the bundle. That is not `valid`,
 * because anyone can make such a bundle with a key of their own.
 */
export type Verdict = 'valid' | 'key_open' | 'invalid'

export interface Judgement<Of extends string = Verdict> {
  readonly verdict: Of
  readonly headline: string
  readonly sentence: string
  /** What was not checked or is weak, most important first. Empty when it is not valid. */
  readonly reservations: readonly string[]
}

/** @param sayTime how its sentence says a time, of ISO 8601 */
export function judgeReport(
  read: ReadBundle,
  report: Report,
  keyrings: readonly NamedKeyring[],
  sayTime = shownTime,
): Judgement {
  const facts = bundleFacts(read)
  const verdict = verdictOf(report, facts, keyrings)
  return {
    verdict,
    headline: HEADLINES[verdict],
    sentence: sentenceOf(verdict, report, facts, sayTime),
    reservations:
      verdict === 'invalid'
        ? []
        : [...chainReservations(read, report, facts), ...fileReservations(report, facts)],
  }
}

const HEADLINES: Readonly<Record<Verdict, string>> = {
  valid: 'Valid',
  key_open: 'Not confirmed: whose key is it?',
  invalid: 'Not valid',
}

function verdictOf(report: Report, facts: BundleFacts, keyrings: readonly NamedKeyring[]): Verdict {
  if (report.passed) return 'valid'
  const failing = report.steps.filter(({ status }) => status === 'fail')
  const onlyTheKey = failing.every(({ group }) => group === 'Key Binding')
  return onlyTheKey && isUnheardOf(facts, keyrings) ? 'key_open' : 'invalid'
}

/** False when a keyring has the id with another key, because one of the two keys is then false. */
const isUnheardOf = ({ keyId }: BundleFacts, keyrings: readonly NamedKeyring[]): boolean =>
  keyId !== undefined && !keyrings.some(({ keys }) => keys.some(({ key_id }) => key_id === keyId))

function sentenceOf(verdict: Verdict, report: Report, facts: BundleFacts, sayTime: typeof shownTime): string {
  switch (verdict) {
    case 'valid': {
      const committed = report.temporal.committed_at
      const block = committed === undefined ? 'its block' : `the block finalized ${sayTime(committed)}`
      return isBlockLike(report)
        ? `${block[0]?.toUpperCase()}${block.slice(1)} is as it was made, and a key that is known signed this proof.`
        : `Exactly these data are in ${block}, and a key that is known signed this proof.`
    }
    case 'key_open':
      return `Every hash, path and signature fits. But none of the keyrings at hand has the key ${facts.keyId ?? ''} that signed this, and anybody can make a bundle that fits under a key of his own.`
    case 'invalid':
      return `Failed: ${failedSteps(report.steps)}.`
    default:
      return verdict satisfies never
  }
}

/** What was not checked or is weak in a bundle, but for what it says about a file. */
export function chainReservations(
  read: ReadBundle,
  report: Report,
  { chains }: Pick<BundleFacts, 'chains'>,
): string[] {
  const reservations: string[] = []
  const development = chains.filter(({ network }) => network === 'regtest')
  const open = chains.filter(({ network }) => network !== 'regtest')
  if (development.length > 0)
    reservations.push(
      open.length === 0
        ? 'It is committed on a development chain only (bitcoin regtest), which the service itself can rewrite: it proves no time to outsiders.'
        : 'One of its commitments is on a development chain (bitcoin regtest), which proves nothing to outsiders.',
    )
  const bare = open.filter(({ lacksBlock }) => lacksBlock)
  if (bare.length > 0)
    reservations.push(
      `The transaction, its hash or the block header is missing for ${namesOf(bare)}: nothing offline ties it to that chain, so it may as well be on a development chain, which proves nothing to outsiders.`,
    )
  if (open.length > 0 && open.every(({ network }) => network === 'testnet'))
    reservations.push(
      `${namesOf(open)} is a network for trials, which is started anew from time to time: what stands there does not last.`,
    )
  if (open.length > 0 && !isConfirmed(report))
    reservations.push(
      `${report.skipped_external ? 'The public chains were not asked' : 'The public chains gave no answer'}: that ${namesOf(open)} really carries the epoch’s root, and since when, was not checked.`,
    )
  if (read.layout === 'compact')
    reservations.push('The compact layout carries no witnesses and no key event, so none were checked.')
  return reservations
}

function fileReservations(
  { source, expected_hash_provided }: Report,
  { claimedHash }: BundleFacts,
): string[] {
  if (source !== 'item' || claimedHash === undefined) return []
  const weak = weakness(claimedHash.type).map(({ message }) => message)
  return expected_hash_provided ? weak : [NO_FILE, ...weak]
}

/** Whoever says of the file beside it can leave this out. */
export const NO_FILE =
  'No file was compared: the proof is about a digest, and whether that is the digest of your file was not checked.'

/** True when a chain was asked and agreed. Bytes that only agree inside the bundle give `info`. */
const isConfirmed = ({ steps }: Report): boolean =>
  steps.some(({ group, status }) => status === 'pass' && / Commitment$/.test(group))

const namesOf = (chains: BundleFacts['chains']): string =>
  [...new Set(chains.map(({ chain, network }) => `${chain} ${network}`))].join(' and ')

const isBlockLike = ({ source }: Pick<Report, 'source'>): boolean => source === 'block' || source === 'beacon'

/** `2027-01-01T00:03:50Z` becomes `2027-01-01 00:03:50 UTC`. */
export const shownTime = (time: string): string => time.replace('T', ' ').replace(/Z$/, ' UTC')
