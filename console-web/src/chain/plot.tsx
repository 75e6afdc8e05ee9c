// One plot over time. Dragging across it chooses a range. The library is loaded when the first plot is shown.
import './chain.css'
import { useEffect, useRef } from 'react'
import type UPlot from 'uplot'
import { theme } from '../data/kept/theme.ts'
import { useStore } from '../data/use_store.ts'
import type { TimeRange } from './block_range.ts'
import { openPlot, PLOT_HEIGHT, type PlotForm, type PlotFrame } from './open_plot.ts'

type PlotProps = {
  /** Unix seconds, ascending. */
  readonly times: readonly number[]
  readonly values: readonly (number | null)[]
  readonly form: PlotForm
  /** The value in words, for the axis and under the pointer. A function of a module. */
  readonly words: (value: number) => string
  readonly frame: PlotFrame
  readonly onRange: (range: TimeRange) => void
}

export const Plot = ({ times, values, form, words, frame, onRange }: PlotProps) => {
  const box = useRef<HTMLDivElement>(null)
  const reading = useRef<HTMLParagraphElement>(null)
  const plot = useRef<UPlot | null>(null)
  const chosen = useRef(onRange)
  const framed = useRef(frame)
  const shownTheme = useStore(theme)
  const data = useRef<UPlot.AlignedData>([[], []])
  useEffect(() => {
    chosen.current = onRange
    framed.current = frame
    data.current = [[...times], [...values]]
    plot.current?.setData(data.current)
  }, [times, values, frame, onRange])

  // Colours are read when the plot is made, so another theme makes another plot.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the theme is read from the page
  useEffect(() => {
    const place = box.current
    if (place === null) return
    plot.current = openPlot(place, data.current, {
      form,
      words,
      frame: () => framed.current,
      onReading: (text) => {
        if (reading.current !== null) reading.current.textContent = text
      },
      onRange: (range) => chosen.current(range),
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
  }, [form, words, shownTheme])

  return (
    <>
      <div ref={box} className="plot-canvas" aria-hidden="true" data-testid="plot" />
      <p ref={reading} className="plot-reading" aria-hidden="true" />
    </>
  )
}
