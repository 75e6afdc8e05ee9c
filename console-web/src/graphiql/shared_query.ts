// A query in the fragment of the address, which no server ever sees: `/graphiql#query=…&variables=…`. Opening such a link runs nothing.
export type SharedQuery = { readonly query: string; readonly variables: string }

/** A query of this length is checked in a quarter of a second, whatever stands in it. */
export const QUERY_CHARACTERS = 65_536
/** The service takes half a mebibyte in one request. */
export const VARIABLES_CHARACTERS = 262_144

/** Longer ones stay out of the address; browsers and chat programs cut long links silently. */
const LONGEST_FRAGMENT = 16_000

/** Null for a link that this page would not have made. */
export const readSharedQuery = (hash: string): SharedQuery | null => {
  if (hash.length > LONGEST_FRAGMENT) return null
  const given = new URLSearchParams(hash.replace(/^#/, ''))
  const query = given.get('query')
  return query === null ? null : { query, variables: given.get('variables') ?? '' }
}

/** With the `#`, or null when the query is too long for a link. */
export const fragmentOf = ({ query, variables }: SharedQuery): string | null => {
  const fragment = `#query=${encodeURIComponent(query)}${
    variables.trim() === '' ? '' : `&variables=${encodeURIComponent(variables)}`
  }`
  return fragment.length > LONGEST_FRAGMENT ? null : fragment
}
