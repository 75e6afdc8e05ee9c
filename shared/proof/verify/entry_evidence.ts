// What a verifier needs about a public chain: what an entry shows by itself, and how the chain is asked about
// it.
import type { ReadEntry } from '../bundle/bundle_parts.ts'
import type { Lookups } from '../lookups/lookup.ts'
import type { ChainVerdict, Finding } from './report.ts'

export interface EntryEvidence {
  /**
   * What the bytes of the entry show: `info` where they agree, `fail` where they do not, `skip` where there
   * are none.
   */
  readonly findings: readonly Finding[]
  /** True when the entry carries none of the bytes of its chain. There is then nothing to look up. */
  readonly isBare: boolean
  /** Whether there is anything to ask the chain for. */
  readonly asks: boolean
  /** Without lookups, reports that the chain was not asked. */
  readonly confirm: (lookups: Lookups | undefined) => Promise<ChainVerdict>
}

export type ChainReader = (entry: ReadEntry) => EntryEvidence
