// What one check found, before it is filed under its step.
import type { RowCategory, RowStatus } from './report.ts'

export interface Finding {
  readonly status: RowStatus
  /** One English sentence for people. */
  readonly message: string
  /** Where it differs from the step's own. */
  readonly category?: RowCategory
}

/** Of a check that may ask the world. */
export interface Verdict {
  readonly findings: readonly Finding[]
  /** The world agreed. */
  readonly isConfirmed: boolean
}

/** Of an entry's chain. */
export interface ChainVerdict extends Verdict {
  /** Milliseconds since 1970: the time that the chain itself shows for it, a header's or a ledger's. Only of a confirmed one. */
  readonly shownAt?: number | undefined
}

export function pass(message: string): Finding {
  return { status: 'pass', message }
}

export function fail(message: string): Finding {
  return { status: 'fail', message }
}

export function warn(message: string): Finding {
  return { status: 'warn', message }
}

export function skip(message: string): Finding {
  return { status: 'skip', message }
}

export function info(message: string): Finding {
  return { status: 'info', message }
}

export function unconfirmed(...findings: Finding[]): Verdict {
  return { findings, isConfirmed: false }
}
