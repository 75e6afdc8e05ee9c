// A query in the fragment of the address: `/graphiql#query=…&variables=…`. No server receives the fragment,
// and opening such a link runs nothing. The tab keeps the text in progress, too.
import { isJsonObject, or, shape, text, textOrNull } from '../data/shape.ts'

export const readText = shape({
  query: text,
  /** JSON text of one object, or empty. */
  variables: or(textOrNull, ''),
})

export type SharedQuery = ReturnType<typeof readText>

/** A query of this length is checked in a quarter of a second, whatever it contains. */
export const QUERY_CHARACTERS = 65_536
/** The service accepts half a mebibyte in one request. */
export const VARIABLES_CHARACTERS = 262_144

/**
 * Longer fragments are not put into the address, because browsers and chat programs silently cut long links.
 */
const LONGEST_FRAGMENT = 16_000

/** Null for a link that this page would not create. */
export const readSharedQuery = (hash: string): SharedQuery | null => {
  if (hash.length > LONGEST_FRAGMENT) return null
  const given = new URLSearchParams(hash.replace(/^#/, ''))
  const query = given.get('query')
  return query === null ? null : { query, variables: given.get('variables') ?? '' }
}

/** Begins with `#`. Null when the query is too long for a link. */
export const fragmentOf = ({ query, variables }: SharedQuery): string | null => {
  const fragment = `#query=${encodeURIComponent(query)}${
    variables.trim() === '' ? '' : `&variables=${encodeURIComponent(variables)}`
  }`
  return fragment.length > LONGEST_FRAGMENT ? null : fragment
}

export const variablesMistake = (text: string): string | null => {
  if (text.trim() === '') return null
  try {
    return isJsonObject(JSON.parse(text)) ? null : 'Variables are one JSON object.'
  } catch (error) {
    return error instanceof Error ? `Not JSON yet: ${error.message}` : 'Not JSON.'
  }
}
