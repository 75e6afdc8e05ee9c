// The plots of the chain: block interval, items, and the delay until a public chain carried the block. Each is also
// said in words, and all of them as a table.
import { useEffect, useEffectEvent, useMemo, useRef, useState } from 'react'
import type UPlot from 'uplot'
import type { Beacon } from '../../../shared/wire/console_stream.ts'
import type { Epoch } from '../commitments/epoch.ts'
import { theme } from '../data/kept/theme.ts'
import { useStore } from '../data/store.ts'
import { count, plural, utc } from '../ui/format.ts'
import type { Proofs } from './block_prover.ts'
import {
  type ChainPoint,
  deviationOf,
  pointsOf,
  type Summary,
  shortDuration,
  signedDuration,
  summaryOf,
} from './chain_series.ts'
import { type Drawn, openPlot, PLOT_HEIGHT, type PlotForm } from './open_plot.ts'
import type { TimeRange } from './time_range.ts'

type PlotsProps = {
  readonly rows: readonly Beacon[]
  readonly proofs: Proofs
  readonly epochs: readonly Epoch[]
  readonly onRange: (range: TimeRange) => void
}

/** A second apart, each drawing would cost more than the rows. */
const DRAWN_EVERY_MS = 5_000

const inItems = (value: number): string => (Number.isInteger(value) ? count(value) : '')

type PlotKind = {
  readonly name: string
  readonly form: PlotForm
  readonly of: (point: ChainPoint) => number | null
  /** A value on the axis and under the pointer. */
  readonly words: (value: number) => string
  /** The axis reaches at least as far. */
  readonly least: number
  /** Drawn as the difference from the middle one, because the values are nearly alike. */
  readonly summed?: (value: number) => string
}

const PLOTS: readonly PlotKind[] = [
  {
    name: 'Block interval',
    form: 'line',
    of: ({ intervalMs }) => intervalMs,
    words: signedDuration,
    summed: shortDuration,
    least: 1_000,
  },
  { name: 'Items in a block', form: 'bars', of: ({ items }) => items, words: inItems, least: 1 },
  { name: 'Commit delay', form: 'line', of: ({ delayMs }) => delayMs, words: shortDuration, least: 1_000 },
]

/** Beyond so many times the 95th percentile the axis is cut: one long gap would hide all others. */
const MOST_TIMES = 4

const shownOf = (kind: PlotKind, points: readonly ChainPoint[]) => {
  const given = points.map(kind.of)
  const isDeviation = kind.summed !== undefined
  const values = isDeviation ? deviationOf(given) : given
  const sizes = summaryOf(values.map((value) => value && Math.abs(value)))
  const cut = kind.form === 'bars' ? Number.POSITIVE_INFINITY : MOST_TIMES * (sizes?.p95 ?? 0)
  const bound = Math.max(kind.least, 1.08 * Math.min(sizes?.most ?? 0, cut))
  const drawn: Drawn = {
    data: [points.map(({ time }) => time), values],
    range: [isDeviation ? -bound : 0, bound],
    summary: summaryOf(values),
  }
  return { drawn, words: wordsOf(kind, summaryOf(given)) }
}

export const Plots = ({ rows, proofs, epochs, onRange }: PlotsProps) => {
  const given = useMemo(() => [rows, proofs, epochs] as const, [rows, proofs, epochs])
  // The oldest row stays while the chain grows. Another one is another range, and older rows that were loaded, whose
  // blocks are read a moment later.
  const oldest = rows.at(-1)?.id ?? ''
  const settled = useThrottled(given, `${oldest} ${proofs.has(oldest)}`, DRAWN_EVERY_MS)
  const points = useMemo(() => pointsOf(...settled), [settled])
  return (
    <section aria-label="Plots" className="plots box">
      <ul>
        {PLOTS.map((kind) => (
          <Plot key={kind.name} kind={kind} points={points} onRange={onRange} />
        ))}
      </ul>
      <p className="plots-foot">
        The interval is drawn as the difference from its p50. Drag across a plot to choose a range; the table
        then shows those blocks.
      </p>
      <AsTable points={points} />
    </section>
  )
}

type PlotProps = Pick<PlotsProps, 'onRange'> & {
  readonly kind: PlotKind
  readonly points: readonly ChainPoint[]
}

const Plot = ({ kind, points, onRange }: PlotProps) => {
  const { drawn, words } = useMemo(() => shownOf(kind, points), [kind, points])
  const box = useRef<HTMLDivElement>(null)
  const reading = useRef<HTMLParagraphElement>(null)
  const plot = useRef<UPlot | null>(null)
  const choose = useEffectEvent(onRange)
  const shownTheme = useStore(theme)
  const latest = useEffectEvent(() => drawn)
  useEffect(() => plot.current?.setData(drawn.data), [drawn])

  // Colours are read when the plot is made, so another theme makes another plot.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the theme is read from the page
  useEffect(() => {
    const place = box.current
    if (place === null) return
    plot.current = openPlot(place, () => latest(), {
      ...kind,
      onReading: (text) => {
        if (reading.current !== null) reading.current.textContent = text
      },
      onRange: (range) => choose(range),
    })
    const observer = new ResizeObserver(() =>
      plot.current?.setSize({ width: place.clientWidth, height: PLOT_HEIGHT }),
    )
    observer.observe(place)
    return () => {
      observer.disconnect()
      plot.current?.destroy()
      plot.current = null
    }
  }, [kind, shownTheme])

  return (
    <li>
      <h2>{kind.name}</h2>
      <p className="plot-words">{words}</p>
      <div ref={box} className="plot-canvas" aria-hidden="true" data-testid="plot" />
      <p ref={reading} className="plot-reading" aria-hidden="true" />
    </li>
  )
}

const wordsOf = ({ words, summed = words }: PlotKind, summary: Summary | null): string => {
  if (summary === null) return 'Not known yet.'
  const { p50, p95, most, known } = summary
  return `p50 ${summed(p50)}, p95 ${summed(p95)}, at most ${summed(most)}, in ${plural(known, 'block')}.`
}

/** The rows of the table on the page. */
const MOST_LINES = 250

const AsTable = ({ points }: { points: readonly ChainPoint[] }) => {
  const [open, setOpen] = useState(false)
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
              {points
                .slice(-MOST_LINES)
                .toReversed()
                .map(({ time, intervalMs, items, delayMs }) => (
                  <tr key={time}>
                    <th scope="row">{utc(new Date(time * 1_000).toISOString())}</th>
                    <td>{cell(intervalMs, shortDuration)}</td>
                    <td>{cell(items, count)}</td>
                    <td>{cell(delayMs, shortDuration)}</td>
                  </tr>
                ))}
            </tbody>
          </table>
        </section>
      )}
    </details>
  )
}

const cell = (value: number | null, words: (value: number) => string): string =>
  value === null ? '–' : words(value)

/** @param key the value is taken over at once when this changes */
const useThrottled = <T,>(value: T, key: string, everyMs: number): T => {
  const [settled, setSettled] = useState({ value, key, at: 0 })
  useEffect(() => {
    if (settled.value === value && settled.key === key) return
    const due = settled.key === key ? settled.at + everyMs : 0
    const timer = setTimeout(() => setSettled({ value, key, at: Date.now() }), Math.max(0, due - Date.now()))
    return () => clearTimeout(timer)
  }, [value, key, everyMs, settled])
  return settled.value
}
