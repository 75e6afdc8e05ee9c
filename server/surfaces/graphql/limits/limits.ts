// The ceilings of GraphQL, what is told beyond each, and the parser that reads no further than they allow.
import { type DocumentNode, type GraphQLError, Lexer, parse, Source, type Token, TokenKind } from 'graphql'
import { refusedAt } from '../schema/tell_errors.ts'

export const GRAPHQL_LIMITS = {
  /** Several times the size of documents from client generators, which name every field of every part of a page. */
  tokens: { maximum: 10_000, detail: 'the document is too long' },
  /** Characters of one. Validation compares an unknown name with every known one and repeats it in its message. */
  name: { maximum: 200, detail: 'the document has too long a name' },
  /** Depth of brackets, including fragments. About 2,000 would overflow the stack of the parser or of validation. */
  nesting: { maximum: 200, detail: 'the document is nested too deeply' },
  /** Distinct fragments, known or unknown. Validation compares each with every other. */
  fragments: { maximum: 250, detail: 'the document has too many different fragments' },
  /**
   * Pairs of fields with the same name in the same place, including the values in their arguments. Validation
   * compares each with every other. The ceiling allows about 140 repetitions of one field.
   */
  repeats: { maximum: 10_000, detail: 'the document repeats the same fields too often' },
  /** In all variables together, counting each list, each object and its members. Reading them takes time too. */
  values: { maximum: 2_500, detail: 'the document has too many values in its variables' },
  aliases: { maximum: 30, detail: 'the query has too many aliases' },
  depth: { maximum: 12, detail: 'the query is nested too deeply' },
  /**
   * Estimates what must be fetched and shown. Every field counts 1. An object counts once per member of the lists around
   * it, with the requested size or else the default size. The plain values of a row count only once, because they come
   * with the row: 250 rows with all their fields are a normal page. Every KiB of arguments counts 1 at each place that
   * uses it, because a value that was sent once may be stored or hashed many times.
   */
  complexity: { maximum: 2_000, detail: 'the query asks for too much' },
  /** Complete introspection queries. Told as fields of their answers, so it grows with the schema. */
  introspection: { maximum: 2, detail: 'the query asks for the schema too often' },
} as const

export const beyond = (
  limit: keyof typeof GRAPHQL_LIMITS,
  maximum: number = GRAPHQL_LIMITS[limit].maximum,
): GraphQLError =>
  refusedAt('query_too_expensive', GRAPHQL_LIMITS[limit].detail, { limit, maximum: Math.floor(maximum) })

/** @throws GraphQLError for a syntax error, or for the ceiling that the text exceeds */
export function parseBounded(text: string): DocumentNode {
  const source = new Source(text)
  return parse(source, { lexer: new BoundedLexer(source) })
}

/** Stops at the first token that exceeds a ceiling, so that the parser goes no deeper. */
class BoundedLexer extends Lexer {
  #tokens = 0
  #depth = 0

  override advance(): Token {
    const token = super.advance()
    if (token.kind === TokenKind.EOF) return token
    this.#tokens += 1
    if (this.#tokens > GRAPHQL_LIMITS.tokens.maximum) throw beyond('tokens')
    switch (token.kind) {
      case TokenKind.NAME:
        if (token.value.length > GRAPHQL_LIMITS.name.maximum) throw beyond('name')
        break
      case TokenKind.BRACE_L:
      case TokenKind.BRACKET_L:
      case TokenKind.PAREN_L:
        this.#depth += 1
        if (this.#depth > GRAPHQL_LIMITS.nesting.maximum) throw beyond('nesting')
        break
      case TokenKind.BRACE_R:
      case TokenKind.BRACKET_R:
      case TokenKind.PAREN_R:
        this.#depth -= 1
        break
    }
    return token
  }
}
