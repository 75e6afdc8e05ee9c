// What the service depends on, asked for again each minute. Another part of the page shows that the service is unreachable.
import './outside.css'
import { Link } from 'wouter'
import { outsideLines } from './outside_words.ts'
import { useOutside } from './readiness.ts'

type OutsideWorldProps = {
  /** Only what needs attention or matters to a person who relies on it. The page of the connection tells the rest. */
  readonly isShort?: boolean
}

export const OutsideWorld = ({ isShort = false }: OutsideWorldProps) => {
  const outside = useOutside(freshMs)
  if (outside === null) return null
  const lines = outsideLines(outside).filter(({ tone }) => !isShort || tone !== 'well')
  return (
    <ul
      className={isShort ? 'outside outside-line' : 'outside'}
      aria-label="The outside world"
      data-testid="outside"
    >
      {lines.map(({ tone, words }) => (
        <li key={words} data-tone={tone}>
          {words}
        </li>
      ))}
      {isShort && (
        <li>
          <Link to="/connection">
            {lines.length === 0 ? 'All outside services answer' : 'All outside services'}
          </Link>
        </li>
      )}
    </ul>
  )
}

const freshMs = (): number => 60_000
