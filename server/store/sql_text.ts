// SQL put together from pieces, every value a bind parameter. Only identifiers written in our own code become text.

/** A piece of SQL. `strings` has one more entry than `values`; a value is a bind parameter. */
export interface Sql {
  readonly strings: readonly string[]
  readonly values: readonly unknown[]
}

const isSql = (value: unknown): value is Sql =>
  typeof value === 'object' &&
  value !== null &&
  'strings' in value &&
  'values' in value &&
  Object.isFrozen(value)

const piece = (strings: readonly string[], values: readonly unknown[]): Sql =>
  Object.freeze({ strings, values })

/** sql`height > ${after} AND ${condition}`: pieces are spliced in, anything else is bound. */
export function sql(strings: TemplateStringsArray, ...values: readonly unknown[]): Sql {
  const texts: string[] = [strings[0] ?? '']
  const bound: unknown[] = []
  const append = (text: string) => {
    texts[texts.length - 1] = `${texts.at(-1) ?? ''}${text}`
  }
  for (const [index, value] of values.entries()) {
    if (isSql(value)) {
      append(value.strings[0] ?? '')
      for (const [inner, innerValue] of value.values.entries()) {
        bound.push(innerValue)
        texts.push(value.strings[inner + 1] ?? '')
      }
    } else {
      bound.push(value)
      texts.push('')
    }
    append(strings[index + 1] ?? '')
  }
  return piece(texts, bound)
}

/** Text from our own code, as it is: a column, a keyword, a predicate without values. Never anything from outside. */
export const literal = (text: string): Sql => piece([text], [])

export function join(pieces: readonly Sql[], separator: string): Sql {
  const [first, ...rest] = pieces
  if (first === undefined) return literal('')
  return rest.reduce((all, next) => sql`${all}${literal(separator)}${next}`, first)
}

export const and = (pieces: readonly Sql[]): Sql =>
  pieces.length === 0 ? literal('true') : sql`(${join(pieces, ' AND ')})`

export const or = (pieces: readonly Sql[]): Sql =>
  pieces.length === 0 ? literal('false') : sql`(${join(pieces, ' OR ')})`

/** The text with `$1` … and its parameters, for `rows`. */
export function compile({ strings, values }: Sql): { text: string; parameters: readonly unknown[] } {
  const text = strings.map((part, index) => (index === 0 ? part : `$${index}${part}`)).join('')
  return { text, parameters: values }
}
