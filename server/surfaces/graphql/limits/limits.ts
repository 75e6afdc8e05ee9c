// The ceilings of GraphQL, what is told beyond each, the parser that reads no further than they allow, and the values that
// an operation is given, in its text and in variables: how many, how many bytes, and of which types.
import {
  coerceInputValue,
  type DocumentNode,
  GraphQLError,
  type GraphQLInputType,
  type GraphQLNamedInputType,
  type GraphQLSchema,
  getNamedType,
  isInputObjectType,
  isInputType,
  isLeafType,
  Kind,
  Lexer,
  type OperationDefinitionNode,
  parse,
  type SelectionNode,
  Source,
  type Token,
  TokenKind,
  typeFromAST,
  type ValueNode,
} from 'graphql'
import { kept } from '../../../kernel/lru.ts'
import type { Arguments } from '../schema/decorate.ts'
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

/** Returns the ceiling that the variables exceed as an error, or undefined when they may be read. */
export const overVariables = (variables: unknown): GraphQLError | undefined =>
  valuesIn(variables) > GRAPHQL_LIMITS.values.maximum ? beyond('values') : undefined

/** Stops counting above the ceiling. */
function valuesIn(root: unknown): number {
  const { maximum } = GRAPHQL_LIMITS.values
  const stack = [root]
  let count = 0
  for (let one = stack.pop(); one !== undefined && count <= maximum; one = stack.pop()) {
    count += 1
    if (typeof one !== 'object' || one === null) continue
    const inside: unknown[] = Array.isArray(one) ? one : Object.values(one)
    for (const value of inside.slice(0, maximum + 1 - count)) stack.push(value ?? null)
  }
  return count
}

/** What the arguments and directives of a selection hold, at any depth. */
interface Weight {
  values: number
  bytes: number
}

/** Bytes that each member of a list or object costs beside its content; also the cost of a number. */
const MEMBER_BYTES = 8

/**
 * Returns a function for the weight of a selection, with variables replaced by their values. Every node and variable is
 * weighed once.
 */
export function weighing(variables: Arguments): (node: SelectionNode) => Weight {
  const ofVariables = new Map<string, number>()
  const ofNodes = new Map<SelectionNode, Weight>()
  const ofVariable = (name: string): number => kept(ofVariables, name, () => bytesOf(variables[name]))
  const add = (to: Weight, value: ValueNode): void => {
    to.values += 1
    switch (value.kind) {
      case Kind.VARIABLE:
        to.bytes += ofVariable(value.name.value)
        break
      case Kind.STRING:
        to.bytes += Buffer.byteLength(value.value)
        break
      case Kind.LIST:
        to.bytes += MEMBER_BYTES * value.values.length
        for (const member of value.values) add(to, member)
        break
      case Kind.OBJECT:
        to.bytes += MEMBER_BYTES * value.fields.length
        for (const member of value.fields) add(to, member.value)
        break
      default:
        to.bytes += MEMBER_BYTES
    }
  }
  const weigh = (node: SelectionNode): Weight => {
    const weight = { values: 0, bytes: 0 }
    if (node.kind === Kind.FIELD) for (const { value } of node.arguments ?? []) add(weight, value)
    for (const directive of node.directives ?? []) {
      weight.values += 1
      for (const { value } of directive.arguments ?? []) add(weight, value)
    }
    return weight
  }
  return (node) => kept(ofNodes, node, weigh)
}

/** Uses a list instead of recursion, because the client decides the depth. */
function bytesOf(value: unknown): number {
  let bytes = 0
  const left: unknown[] = [value]
  while (left.length > 0) {
    const one = left.pop()
    if (typeof one === 'string') bytes += Buffer.byteLength(one)
    else bytes += MEMBER_BYTES
    if (Array.isArray(one)) for (const member of one) left.push(member)
    else if (typeof one === 'object' && one !== null)
      for (const [name, member] of Object.entries(one)) left.push(name, member)
  }
  return bytes
}

/** Thrown to stop GraphQL. */
const ENOUGH = new Error('As many mistakes were found as are told.')

/**
 * Returns the first mistakes in variables, up to the maximum. Execution would report them too, but it writes every
 * invalid object into every message. A mistake names only the place of a value, never the value. Execution reports a
 * missing variable.
 */
export function judgeVariables(
  schema: GraphQLSchema,
  { operation, variables }: { readonly operation: OperationDefinitionNode; readonly variables: Arguments },
  most: number,
): readonly GraphQLError[] {
  const found: GraphQLError[] = []
  try {
    for (const node of operation.variableDefinitions ?? []) {
      const name = node.variable.name.value
      const type = typeFromAST(schema, node.type)
      if (!Object.hasOwn(variables, name) || !isInputType(type)) continue
      const note = (path: readonly (string | number)[], value: unknown, { message }: GraphQLError): void => {
        const rule = ruleOf(typeAt(type, path), value, message)
        const at = path.length === 0 ? '' : ` at "${placeOf(name, path)}"`
        found.push(new GraphQLError(`Variable "$${name}" is invalid${at}; ${rule}`, { nodes: node.variable }))
        if (found.length >= most) throw ENOUGH
      }
      coerceInputValue(variables[name], type, note, true)
    }
  } catch (error) {
    if (error !== ENOUGH) throw error
  }
  return found
}

/** The most characters of a place, or of a name from the client. */
const LONGEST = 200

/** e.g. `input.tags[3]` */
const placeOf = (name: string, path: readonly (string | number)[]): string => {
  const steps = path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`))
  return [name, ...steps].join('').slice(0, LONGEST)
}

/** The type at a place in a value, without lists around it. */
const typeAt = (type: GraphQLInputType, path: readonly (string | number)[]): GraphQLNamedInputType =>
  path.reduce<GraphQLNamedInputType>((named, step) => {
    const field = isInputObjectType(named) ? named.getFields()[step] : undefined
    return field === undefined ? named : getNamedType(field.type)
  }, getNamedType(type))

/** A message about a leaf would repeat its value, and one about an unknown member its whole name. */
const ruleOf = (type: GraphQLNamedInputType, value: unknown, message: string): string =>
  isLeafType(type) && value !== null && value !== undefined
    ? `Expected a value of type "${type.name}".`
    : message.replace(LONG_NAME, '$1$2')

const LONG_NAME = new RegExp(`^(Field ".{${LONGEST}}).*(" is not defined by type ".*)$`, 's')
