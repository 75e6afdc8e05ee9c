// The account of the person from GET /api/json/users/me.
import { documentOf } from '../data/resource.ts'
import { called, or, shape, text, textOrNull } from '../data/shape.ts'
import { useDocument } from '../data/use_document.ts'

export const ME_PATH = '/api/json/users/me'

export const readMe = documentOf(
  shape({ id: text, name: called('full_name', or(textOrNull, '')), email: textOrNull, plan: textOrNull }),
)

export type Me = ReturnType<typeof readMe>

/** Null while it is not known. */
export const useMe = (): Me | null => {
  const loaded = useDocument(ME_PATH, { read: readMe })
  return loaded.kind === 'found' ? loaded.value : null
}
