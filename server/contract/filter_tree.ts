// A filter as clients write it: fields, operators, relationships, and, or, not.

/** Leaves are client values: text from a query string, or JSON scalars and lists of them from GraphQL. */
export type FilterTree = { readonly [name: string]: FilterTree | FilterLeaf | readonly FilterTree[] }
export type FilterLeaf = string | number | boolean | null | readonly (string | number | boolean)[]

export const isTree = (value: unknown): value is FilterTree =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
