// What a verifier must know of a public chain: what an entry shows by itself, and how its chain is asked about it.
import type { ReadEntry } from '../bundle/bundle_parts.ts'
import type { Lookups } from '../lookups/lookup.ts'
import type { ChainVerdict, Finding } from './finding.ts'

export interface EntryEvidence {
  /** What the bytes of the entry show: `info` where they agree, `fail` where they do not, `skip` where there are none. */
  readonly findings: readonly Finding[]
  /** The bytes that entries of this chain carry are all missing, so nothing is left to look up either. */
  readonly isBare: boolean
  /** Whether there is anything to ask the chain for. */
  readonly asks: boolean
  /** Without lookups it says that nobody was asked. */
  readonly confirm: (lookups: Lookups | undefined) => Promise<ChainVerdict>
}

export type ChainReader = (entry: ReadEntry) => EntryEvidence
