// Ceilings on one query: in its parameters on JSON:API, in its arguments on GraphQL.

export const QUERY_CEILINGS = {
  /** Names and values of all parameters together. */
  parameters: 1_000,
  /** Parameters of the filter. */
  filter_parameters: 400,
  filter_depth: 8,
  filter_conditions: 100,
  /** Values of one `in` operator. */
  in_values: 250,
  sort_keys: 8,
  includes: 16,
  /** Relationships in one path. */
  include_steps: 4,
  /** Relationships of all paths together. A prefix that several paths share counts once. */
  include_relationships: 16,
  /** Characters of a cursor. The service never makes a longer one. */
  cursor: 4_096,
  /** Characters of If-None-Match: some eighty validators. */
  validators: 4_096,
} as const
