// The outside services in short: what needs attention or matters to a person who relies on it. The page of the
// connection tells the rest.
import './outside.css'
import { Link } from 'wouter'
import { useDocument } from '../data/use_document.ts'
import { outsideLines, type Tone } from './outside_words.ts'
import { READY_PATH, readOutside } from './readiness.ts'

const freshMs = (): number => 60_000

/** Renders nothing while the state is unknown. Another part of the page shows that the service is unreachable. */
export const OutsideLine = () => {
  const loaded = useDocument(READY_PATH, { read: readOutside, freshMs })
  if (loaded.kind !== 'found') return null
  const lines = outsideLines(loaded.value).filter(({ tone }) => tone !== WELL)
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
