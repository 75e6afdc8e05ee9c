// A query in the fragment of the address, which no server ever sees: `/graphiql#query=…&variables=…`. Opening such a link runs nothing.
export type SharedQuery = { readonly query: string; readonly variables: string }

/** Longer ones stay out of the address; browsers and chat programs cut long links silently. */
const LONGEST_FRAGMENT = 16_000

export const readSharedQuery = (hash: string): SharedQuery | null => {
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
