// A few bars side by side, each of parts, such as the hours of a day. A picture only: its numbers stand beside it as text.
import type { ReactNode } from 'react'

export type BarPart = {
  readonly name: string
  readonly tone: 'good' | 'busy' | 'warn' | 'bad' | 'none'
  /** Where it begins above the foot, and how high it is, in hundredths of the height of the picture. */
  readonly from: number
  readonly height: number
}

type Bar = { readonly key: string; readonly title: string; readonly parts: readonly BarPart[] }

type BarsProps = {
  readonly label: string
  readonly testId: string
  readonly bars: readonly Bar[]
  /** The line below. */
  readonly children: ReactNode
}

const HEIGHT = 100
const STEP = 10
const WIDTH = 8

export const Bars = ({ label, testId, bars, children }: BarsProps) => (
  <figure className="bars">
    <svg
      viewBox={`0 0 ${bars.length * STEP - (STEP - WIDTH)} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
      data-testid={testId}
    >
      {bars.map(({ key, title, parts }, index) => (
        <g key={key} data-testid={`${testId}-bar`}>
          <title>{title}</title>
          <rect className="ground" x={index * STEP} y={0} width={WIDTH} height={HEIGHT} />
          {parts.map(({ name, tone, from, height }) => (
            <rect
              key={name}
              data-part={name}
              data-tone={tone}
              x={index * STEP}
              y={HEIGHT - from - height}
              width={WIDTH}
              height={height}
            />
          ))}
        </g>
      ))}
    </svg>
    <figcaption>{children}</figcaption>
  </figure>
)
