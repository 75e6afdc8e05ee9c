// The result of one check, before it is placed under its step.
import type { RowCategory, RowStatus } from './report.ts'

export interface Finding {
  readonly status: RowStatus
  /** One English sentence for people. */
  readonly message: string
  /** Given when it differs from the step's category. */
  readonly category?: RowCategory
}

/** Result of a check that may ask a public service. */
export interface Verdict {
  readonly findings: readonly Finding[]
  /** True when the public service agreed. */
  readonly isConfirmed: boolean
}

/** Result of asking the chain about an entry. */
export interface ChainVerdict extends Verdict {
  /**
   * Milliseconds since 1970: the time that the chain shows for the entry (header or ledger). Only for
   * confirmed entries.
   */
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
