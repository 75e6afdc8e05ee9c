// The plots of the chain: block interval, items, and the delay until a public chain carried the block. Each is also
// said in words, and all of them as a table.
import './chain.css'
import { useEffect, useMemo, useRef, useState } from 'react'
import type { Beacon } from '../../../shared/wire/console_stream.ts'
import type { Epoch } from '../commitments/epoch.ts'
import { count, plural } from '../ui/format_count.ts'
import { utc } from '../ui/format_time.ts'
import type { Proofs } from './block_prover.ts'
import type { TimeRange } from './block_range.ts'
import { type ChainSeries, seriesOf, shortDuration, summaryOf } from './chain_series.ts'
import { Plot } from './plot.tsx'

type PlotsProps = {
  readonly rows: readonly Beacon[]
  readonly proofs: Proofs
  readonly epochs: readonly Epoch[]
  readonly onRange: (range: TimeRange) => void
}

/** A second apart, each drawing would cost more than the rows. */
const DRAWN_EVERY_MS = 5_000

const inItems = (value: number): string => (Number.isInteger(value) ? count(value) : '')

const PLOTS = [
  {
    name: 'Block interval',
    of: 'intervalMs',
    form: 'line',
    words: shortDuration,
    least: 1_000,
  },
  { name: 'Items in a block', of: 'items', form: 'bars', words: inItems, least: 1 },
  {
    name: 'Commit delay',
    of: 'delayMs',
    form: 'line',
    words: shortDuration,
    least: 1_000,
  },
] as const satisfies readonly { of: Exclude<keyof ChainSeries, 'times'>; [more: string]: unknown }[]

export const Plots = ({ rows, proofs, epochs, onRange }: PlotsProps) => {
  const given = useMemo(() => ({ rows, proofs, epochs }), [rows, proofs, epochs])
  // The oldest row stays while the chain grows. Another one is another range, and older rows that were loaded, whose
  // blocks are read a moment later.
  const oldest = rows.at(-1)?.id ?? ''
  const { rows: shown, ...known } = useSettled(given, `${oldest} ${proofs.has(oldest)}`, DRAWN_EVERY_MS)
  const series = useMemo(
    () => seriesOf(shown, known.proofs, known.epochs),
    [shown, known.proofs, known.epochs],
  )
  return (
    <section aria-label="Plots" className="plots">
      <ul>
        {PLOTS.map(({ name, of, form, words, least }) => (
          <li key={name}>
            <h2>{name}</h2>
            <p className="plot-words">{wordsOf(series[of], words)}</p>
            <Plot
              times={series.times}
              values={series[of]}
              form={form}
              words={words}
              least={least}
              onRange={onRange}
            />
          </li>
        ))}
      </ul>
      <p className="plots-foot">Drag across a plot to choose a range; the table then shows those blocks.</p>
      <AsTable series={series} />
    </section>
  )
}

const wordsOf = (values: readonly (number | null)[], words: (value: number) => string): string => {
  const summary = summaryOf(values)
  if (summary === null) return 'Not known yet.'
  const { median, least, most, known } = summary
  return `Median ${words(median)}, from ${words(least)} to ${words(most)}, in ${plural(known, 'block')}.`
}

/** The rows of the table on the page. */
const MOST_LINES = 250

const AsTable = ({ series: { times, intervalMs, items, delayMs } }: { series: ChainSeries }) => {
  const [open, setOpen] = useState(false)
  const lines = times.map((_, index) => index).toReversed()
  return (
    <details className="fold" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>The same as a table</summary>
      {open && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
        <section className="plots-table" tabIndex={0} aria-label="The plots as a table">
          <table>
            <thead>
              <tr>
                <th scope="col">Time, UTC</th>
                <th scope="col">Interval</th>
                <th scope="col">Items</th>
                <th scope="col">Commit delay</th>
              </tr>
            </thead>
            <tbody>
              {lines.slice(0, MOST_LINES).map((index) => (
                <tr key={times[index]}>
                  <th scope="row">{utc(new Date((times[index] ?? 0) * 1_000).toISOString())}</th>
                  <td>{cell(intervalMs[index], shortDuration)}</td>
                  <td>{cell(items[index], count)}</td>
                  <td>{cell(delayMs[index], shortDuration)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
    </details>
  )
}

const cell = (value: number | null | undefined, words: (value: number) => string): string =>
  value == null ? '–' : words(value)

/** @param key the value is taken over at once when this changes */
const useSettled = <T,>(value: T, key: string, everyMs: number): T => {
  const [settled, setSettled] = useState({ value, key })
  const takenAt = useRef(0)
  useEffect(() => {
    if (settled.value === value && settled.key === key) return
    const take = (): void => {
      takenAt.current = Date.now()
      setSettled({ value, key })
    }
    const wait = settled.key === key ? takenAt.current + everyMs - Date.now() : 0
    const timer = setTimeout(take, Math.max(0, wait))
    return () => clearTimeout(timer)
  }, [value, key, everyMs, settled])
  return settled.value
}
