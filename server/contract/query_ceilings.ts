// Ceilings on what one query may ask of a list: in its parameters on JSON:API, in its arguments on GraphQL.

export const QUERY_CEILINGS = {
  /** Names and values of the whole query. */
  parameters: 1_000,
  /** Of the filter. */
  filter_parameters: 400,
  filter_depth: 8,
  filter_conditions: 100,
  /** Values of one `in`. */
  in_values: 250,
  sort_keys: 8,
  includes: 16,
  /** Relationships in one path. */
  include_steps: 4,
  /** Relationships of all paths together, beginnings that paths share counted once. */
  include_relationships: 16,
  /** Characters of a cursor; none of ours is longer. */
  cursor: 4_096,
} as const
