// What the service depends on, asked for again each minute.
import './outside.css'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { useDocument } from '../data/use_document.ts'
import { type Line, outsideLines } from './outside_words.ts'
import { READY_PATH, readOutside } from './readiness.ts'

/** In short: what needs attention or matters to a person who relies on it. The page of the connection tells the rest. */
export const OutsideLine = () => {
  const lines = useOutside()?.filter(({ tone }) => tone !== 'well')
  return lines === undefined ? null : (
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
  const lines = useOutside()
  return lines === undefined ? null : <Lines lines={lines} className="outside" />
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

/** Undefined while the state is unknown. Another part of the page shows that the service is unreachable. */
const useOutside = (): readonly Line[] | undefined => {
  const loaded = useDocument(READY_PATH, { read: readOutside, freshMs })
  return loaded.kind === 'found' ? outsideLines(loaded.value) : undefined
}
