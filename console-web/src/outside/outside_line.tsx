// What the service depends on, asked for again each minute. Another part of the page shows that the service is unreachable.
import './outside.css'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { type Line, outsideLines } from './outside_words.ts'
import { useOutside } from './readiness.ts'

/** In short: what needs attention or matters to a person who relies on it. The page of the connection tells the rest. */
export const OutsideLine = () => {
  const outside = useOutside(freshMs)
  if (outside === null) return null
  const lines = outsideLines(outside).filter(({ tone }) => tone !== 'well')
  return (
    <Lines lines={lines} className="outside outside-line">
      <li data-tone="more">
        <Link to="/connection">
          {lines.length === 0 ? 'All outside services answer' : 'All outside services'}
        </Link>
      </li>
    </Lines>
  )
}

export const OutsideWorld = () => {
  const outside = useOutside(freshMs)
  return outside && <Lines lines={outsideLines(outside)} className="outside" />
}

type LinesProps = {
  readonly lines: readonly Line[]
  readonly className: string
  readonly children?: ReactNode
}

const Lines = ({ lines, className, children }: LinesProps) => (
  <ul className={className} aria-label="The outside world" data-testid="outside">
    {lines.map(({ tone, words }) => (
      <li key={words} data-tone={tone}>
        {words}
      </li>
    ))}
    {children}
  </ul>
)

const freshMs = (): number => 60_000
