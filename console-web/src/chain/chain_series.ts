// The numbers behind the plots: for each block its interval, its items, and how long it waited for a public chain.
import type { Beacon } from '../../../shared/wire/console_stream.ts'
import { carriedBy, type Epoch } from '../commitments/epoch.ts'
import type { Proofs } from './block_prover.ts'

/** A plot has about as many columns. */
const MOST_POINTS = 1_000

export type ChainPoint = ReturnType<typeof pointsOf>[number]

/**
 * Oldest first. A value is null where it is not known, or where there is none yet.
 * @param rows newest first
 */
export const pointsOf = (rows: readonly Beacon[], proofs: Proofs, epochs: readonly Epoch[]) =>
  rows
    .slice(0, MOST_POINTS)
    .map(({ id, timestamp }, index) => {
      const ms = Date.parse(timestamp)
      const older = rows[index + 1]
      const block = proofs.get(id)?.block
      const since = carriedBy(epochs, id).since ?? block?.committedAt ?? null
      return {
        /** Unix seconds. */
        time: ms / 1_000,
        intervalMs: older === undefined ? null : ms - Date.parse(older.timestamp),
        items: block?.itemCount ?? null,
        delayMs: since === null ? null : Date.parse(since) - ms,
      }
    })
    .toReversed()

export type Summary = NonNullable<ReturnType<typeof summaryOf>>

/** Half of the values are at most as large as `p50`, and 95 % as `p95`. Null when no value is known. */
export const summaryOf = (values: readonly (number | null)[]) => {
  const known = values.filter((value) => value !== null).toSorted((a, b) => a - b)
  const at = (share: number): number => known[Math.ceil(share * known.length) - 1] ?? 0
  return known.length === 0 ? null : { known: known.length, p50: at(0.5), p95: at(0.95), most: at(1) }
}

/** How much later or earlier than usual each came. What is usual is half-way: the interval of most. */
export const deviationOf = (values: readonly (number | null)[]): (number | null)[] => {
  const usual = summaryOf(values)?.p50 ?? 0
  return values.map((value) => (value === null ? null : value - usual))
}

/** Such as `+1.5 s`, `−400 ms`. */
export const signedDuration = (ms: number): string =>
  ms === 0 ? '0 s' : `${ms < 0 ? '−' : '+'}${shortDuration(Math.abs(ms))}`

/** Such as `0.4 s`, `48 s`, `12 min`, `3.5 h`: short enough for an axis. */
export const shortDuration = (ms: number): string => {
  if (ms > 0 && ms < 1_000) return `${Math.round(ms)} ms`
  const seconds = ms / 1_000
  if (seconds < 10 && seconds % 1 !== 0) return `${seconds.toFixed(1)} s`
  if (seconds < 120) return `${Math.round(seconds)} s`
  const minutes = seconds / 60
  if (minutes < 120) return `${trimmed(minutes)} min`
  return minutes < 2_880 ? `${trimmed(minutes / 60)} h` : `${trimmed(minutes / 1_440)} d`
}

const trimmed = (value: number): string => value.toFixed(value < 10 ? 1 : 0).replace(/\.0$/, '')
