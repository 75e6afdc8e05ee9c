// One row of the report: the service compared with a bare baseline of the same run. Absolute times depend on
// the machine; the ratio is the result.
import type { Ground } from './ground.ts'
import type { MeasureOn } from './run_measures.ts'

export interface Measurement {
  readonly what: string
  readonly baseline: string
  readonly ours: string
  /** The service divided by the baseline: throughput or time, depending on the aim. */
  readonly ratio: number
  readonly aim: string
  readonly met: boolean
  /** Microseconds of processor time (user and system) of one operation. */
  readonly cpu?: { readonly ours: number; readonly baseline?: number }
  /** The highest resident size of the measured process in MiB. */
  readonly peakMib?: number
  readonly notes?: string
}

export type Measure = MeasureOn<Ground>

export async function timed<T>(work: () => Promise<T> | T): Promise<{ ms: number; value: T }> {
  const began = performance.now()
  const value = await work()
  return { ms: performance.now() - began, value }
}

/** Runs the work one after the other. Returns the median in milliseconds. */
export async function medianMs(runs: number, work: () => unknown): Promise<number> {
  const times: number[] = []
  for (let run = 0; run < runs; run += 1) times.push((await timed(async () => work())).ms)
  return times.sort((a, b) => a - b)[Math.floor(runs / 2)] ?? Number.NaN
}

export const perSecond = (count: number, ms: number): string => `${Math.round((count * 1_000) / ms)}/s`
