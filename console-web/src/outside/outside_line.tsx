// The outside services in short: what needs attention or matters to a person who relies on it. The page of the
// connection tells the rest.
import './outside.css'
import { Link } from 'wouter'
import type { Tone } from './outside_words.ts'
import { useOutside } from './use_outside.ts'

export const OutsideLine = () => {
  const lines = useOutside()?.filter(({ tone }) => tone !== WELL)
  if (lines === undefined) return null
  return (
    <ul className="outside outside-line" aria-label="The outside world" data-testid="outside">
      {lines.map(({ tone, words }) => (
        <li key={words} data-tone={tone}>
          {words}
        </li>
      ))}
      <li data-tone="more">
        <Link to="/connection">
          {lines.length === 0 ? 'All outside services answer' : 'All outside services'}
        </Link>
      </li>
    </ul>
  )
}

const WELL: Tone = 'well'
