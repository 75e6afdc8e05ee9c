// Draws one plot into a place of the page, in the colours of the theme that is shown.
// Before the library.
import './plot_language.ts'
import UPlot from 'uplot'
import { utc } from '../ui/format.ts'
import type { Summary } from './chain_series.ts'
import { rangeOf, type TimeRange } from './time_range.ts'

export type PlotForm = 'line' | 'bars'

/** What is drawn at present. */
export type Drawn = {
  readonly data: UPlot.AlignedData
  /** The axis of the values. What lies beyond is cut. */
  readonly range: readonly [number, number]
  /** Of the values. Lines across the plot are at its `p50` and `p95`. */
  readonly summary: Summary | null
}

type PlotOptions = {
  readonly form: PlotForm
  readonly words: (value: number) => string
  /** What lies under the pointer, in words. Empty when nothing does. */
  readonly onReading: (text: string) => void
  readonly onRange: (range: TimeRange) => void
}

export const PLOT_HEIGHT = 132
/** A shorter drag is a click. */
const LEAST_DRAG_PX = 5

/** All plots have one cursor. What is dragged over one of them is not dragged over the others. */
const CURSOR = {
  key: 'chain',
  filters: { pub: (type: string) => type === 'mousemove' || type === 'mouseleave', sub: () => true },
} as const

export const openPlot = (
  place: HTMLElement,
  drawn: () => Drawn,
  { form, words, onReading, onRange }: PlotOptions,
): UPlot => {
  const colour = (name: string): string => getComputedStyle(place).getPropertyValue(name).trim()
  const axis = { stroke: colour('--faint'), font: FONT, ticks: { show: false } }
  const grid = { stroke: colour('--hair'), width: 1 }
  const options: UPlot.Options = {
    width: place.clientWidth,
    height: PLOT_HEIGHT,
    legend: { show: false },
    // Half of the last time on the axis stands to the right of the plot.
    padding: [8, 26, 0, 0],
    cursor: {
      y: false,
      drag: { x: true, y: false, setScale: false },
      points: { size: 6 },
      sync: CURSOR,
    },
    scales: { y: { range: () => [...drawn().range] } },
    axes: [
      {
        ...axis,
        grid: { show: false },
        size: 26,
        space: 70,
        // Where no step fits, uPlot names the one beyond the end, half of which would be cut.
        values: ({ scales: { x } }, splits, __, ___, step) =>
          splits.map((at) => (at > (x?.max ?? at) ? null : clockAt(at, step))),
      },
      { ...axis, grid, size: 58, space: 32, values: (_, splits) => splits.map(words) },
    ],
    series: [{}, form === 'bars' ? barsIn(colour('--sea')) : lineIn(colour('--tide'))],
    hooks: {
      draw: [(plot) => drawLines(plot, drawn().summary, colour('--soft'))],
      setCursor: [
        ({ cursor: { idx }, data: [times, values] }) => {
          const [time, value] = [times[idx ?? -1], values?.[idx ?? -1]]
          const isNone = time == null || value == null
          onReading(isNone ? '' : `${words(value)} · ${utc(new Date(time * 1_000).toISOString())} UTC`)
        },
      ],
      setSelect: [
        (plot) => {
          const [left, right] = toEdges(plot.select.left, plot.select.width, plot.over.clientWidth)
          if (plot.select.width < LEAST_DRAG_PX) return
          const range = rangeOf(1_000 * plot.posToVal(left, 'x'), 1_000 * plot.posToVal(right, 'x'))
          plot.setSelect({ left: 0, width: 0, top: 0, height: 0 }, false)
          onRange(range)
        },
      ],
    },
  }
  return new UPlot(options, drawn().data, place)
}

const FONT = '11px sans-serif'

const drawLines = ({ ctx, bbox, valToPos }: UPlot, summary: Summary | null, colour: string): void => {
  if (summary === null) return
  ctx.save()
  ctx.strokeStyle = colour
  ctx.fillStyle = colour
  ctx.lineWidth = UPlot.pxRatio
  ctx.font = `${10 * UPlot.pxRatio}px sans-serif`
  ctx.textBaseline = 'middle'
  ctx.textAlign = 'left'
  ctx.setLineDash([3 * UPlot.pxRatio, 3 * UPlot.pxRatio])
  const at = (value: number): number => Math.round(valToPos(value, 'y', true))
  /** Names of lines that are near to each other stand apart. */
  const apart = Math.max(0, 5 * UPlot.pxRatio - (at(summary.p50) - at(summary.p95)) / 2)
  for (const name of ['p50', 'p95'] as const) {
    const y = at(summary[name])
    if (y < bbox.top || y > bbox.top + bbox.height) continue
    ctx.beginPath()
    ctx.moveTo(bbox.left, y)
    ctx.lineTo(bbox.left + bbox.width, y)
    ctx.stroke()
    // Beyond the end of the lines, where none runs through it.
    ctx.fillText(` ${name}`, bbox.left + bbox.width, name === 'p50' ? y + apart : y - apart)
  }
  ctx.restore()
}

/** A drag that ends near an edge means the edge: the first and the last block lie there. */
const toEdges = (left: number, width: number, whole: number): readonly [number, number] => [
  left < LEAST_DRAG_PX ? 0 : left,
  left + width > whole - LEAST_DRAG_PX ? whole : left + width,
]

/** As precise as the distance between two labels asks for. Both in seconds. */
const clockAt = (seconds: number, step: number): string => {
  const iso = new Date(seconds * 1_000).toISOString()
  if (step >= 86_400) return iso.slice(0, 10)
  return step >= 60 ? iso.slice(11, 16) : iso.slice(11, 19)
}

const lineIn = (colour: string): UPlot.Series => ({
  stroke: colour,
  width: 1.5,
  points: { size: 4, fill: colour },
})

const barsIn = (colour: string): UPlot.Series => {
  const { bars } = UPlot.paths
  return {
    fill: colour,
    points: { show: false },
    ...(bars === undefined ? {} : { paths: bars({ size: [0.7, 24] }) }),
  }
}
