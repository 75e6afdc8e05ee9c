// A few quiet lines about what the service depends on outside itself.
import './outside.css'
import { useDocument } from '../data/use_document.ts'
import { outsideLines } from './outside_words.ts'
import { READY_PATH, readOutside } from './readiness.ts'

const freshMs = (): number => 60_000

/** Nothing while it is not known: that the service is away, the page says elsewhere. */
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
