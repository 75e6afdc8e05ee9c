// The outside services as the service tells them, asked for again each minute.
import { useDocument } from '../data/use_document.ts'
import { type Line, outsideLines } from './outside_words.ts'
import { READY_PATH, readOutside } from './readiness.ts'

const freshMs = (): number => 60_000

/** Null while the state is unknown. Another part of the page shows that the service is unreachable. */
export const useOutside = (): readonly Line[] | null => {
  const loaded = useDocument(READY_PATH, { read: readOutside, freshMs })
  return loaded.kind === 'found' ? outsideLines(loaded.value) : null
}
