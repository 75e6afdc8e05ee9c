// A few lines about the outside services that this service depends on.
import './outside.css'
import { useDocument } from '../data/use_document.ts'
import { outsideLines } from './outside_words.ts'
import { READY_PATH, readOutside } from './readiness.ts'

const freshMs = (): number => 60_000

/**
 * Renders nothing while the state is unknown. Another part of the page shows that the service is unreachable.
 */
export const OutsideWorld = () => {
  const loaded = useDocument(READY_PATH, { read: readOutside, freshMs })
  if (loaded.kind !== 'found') return null
  return (
    <ul className="outside" aria-label="The outside world" data-testid="outside">
      {outsideLines(loaded.value).map(({ tone, words }) => (
        <li key={words} data-tone={tone}>
          {words}
        </li>
      ))}
    </ul>
  )
}
