// Where in a half-written query the cursor stands: which type's fields, which arguments, which kind of value can come next.
import {
  type GraphQLArgument,
  type GraphQLInputField,
  type GraphQLInputType,
  type GraphQLNamedType,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isInputObjectType,
  isInterfaceType,
  isListType,
  isObjectType,
} from 'graphql'
import { type Token, tokensOf } from './token.ts'

export type Inputs = readonly (GraphQLArgument | GraphQLInputField)[]

export type Place =
  | { readonly kind: 'document' }
  | { readonly kind: 'fields'; readonly type: GraphQLNamedType | null }
  | { readonly kind: 'spread' }
  | { readonly kind: 'condition' }
  | { readonly kind: 'directive' }
  | { readonly kind: 'inputs'; readonly inputs: Inputs }
  | { readonly kind: 'value'; readonly type: GraphQLInputType | null }
  | { readonly kind: 'variable_type' }
  | { readonly kind: 'nothing' }

/** One open bracket; `last` is what was named most recently inside it. */
type Frame =
  | { kind: 'document'; next: GraphQLNamedType | null }
  | { kind: 'fields'; type: GraphQLNamedType | null; next: GraphQLNamedType | null; last: Inputs }
  | { kind: 'inputs'; inputs: Inputs; last: GraphQLInputType | null }
  | { kind: 'list'; type: GraphQLInputType | null }
  | { kind: 'variables' }

/** `offset` is where the word under the cursor begins. */
export const placeAt = (schema: GraphQLSchema, text: string, offset: number): Place => {
  const all = tokensOf(text.slice(0, offset), 'graphql')
  const last = all.at(-1)
  if (last !== undefined && last.to === offset && isOpen(last)) return { kind: 'nothing' }
  const tokens = all.filter(({ kind }) => kind !== 'comment')
  const frames: Frame[] = [{ kind: 'document', next: schema.getQueryType() ?? null }]
  for (const [index, token] of tokens.entries()) step(schema, frames, token, tokens[index - 1])
  return placeIn(frames.at(-1), tokens.at(-1)?.text)
}

const isOpen = (token: Token): boolean => token.kind === 'comment' || token.kind === 'string'

const placeIn = (frame: Frame | undefined, before: string | undefined): Place => {
  if (before === '@') return { kind: 'directive' }
  if (before === 'on') return { kind: 'condition' }
  switch (frame?.kind) {
    case 'fields':
      return before === '...' ? { kind: 'spread' } : { kind: 'fields', type: frame.type }
    case 'inputs':
      return before === ':' ? { kind: 'value', type: frame.last } : { kind: 'inputs', inputs: frame.inputs }
    case 'list':
      return { kind: 'value', type: frame.type }
    case 'variables':
      return before === ':' || before === '[' ? { kind: 'variable_type' } : { kind: 'nothing' }
    default:
      return { kind: 'document' }
  }
}

const step = (schema: GraphQLSchema, frames: Frame[], token: Token, previous: Token | undefined): void => {
  const frame = frames.at(-1)
  if (frame === undefined) return
  if (token.kind === 'punctuation') bracket(frames, frame, token.text, previous)
  if (token.kind === 'directive' && frame.kind === 'fields')
    frame.last = schema.getDirective(token.text.slice(1))?.args ?? []
  if (token.kind !== 'name' && token.kind !== 'keyword') return
  const named = previous?.text === 'on' ? (schema.getType(token.text) ?? null) : undefined
  if (frame.kind === 'document') {
    if (named !== undefined) frame.next = named
    if (token.text === 'query') frame.next = schema.getQueryType() ?? null
    if (token.text === 'mutation') frame.next = schema.getMutationType() ?? null
    if (token.text === 'subscription') frame.next = schema.getSubscriptionType() ?? null
  } else if (frame.kind === 'fields') {
    if (named !== undefined) frame.next = named
    else if (token.text === 'on') frame.next = frame.type
    else nameField(frame, token.text)
  } else if (frame.kind === 'inputs' && previous?.text !== ':') {
    frame.last = frame.inputs.find(({ name }) => name === token.text)?.type ?? null
  }
}

const nameField = (frame: Extract<Frame, { kind: 'fields' }>, name: string): void => {
  const { type } = frame
  const field = isObjectType(type) || isInterfaceType(type) ? type.getFields()[name] : undefined
  const output: GraphQLOutputType | undefined = field?.type
  frame.next = output === undefined ? null : getNamedType(output)
  frame.last = field?.args ?? []
}

const bracket = (frames: Frame[], frame: Frame, text: string, previous: Token | undefined): void => {
  if (text === '}' || text === ')' || text === ']') {
    if (frames.length > 1) frames.pop()
  } else if (text === '[') {
    frames.push(frame.kind === 'variables' ? { kind: 'variables' } : { kind: 'list', type: itemOf(frame) })
  } else if (text === '(') {
    frames.push(
      frame.kind === 'fields' ? { kind: 'inputs', inputs: frame.last, last: null } : { kind: 'variables' },
    )
  } else if (text === '{') {
    if (frame.kind === 'inputs' || frame.kind === 'list') {
      const type = frame.kind === 'list' ? frame.type : frame.last
      const named = type === null ? null : getNamedType(type)
      const inputs = isInputObjectType(named) ? Object.values(named.getFields()) : []
      frames.push({ kind: 'inputs', inputs, last: null })
    } else if (frame.kind !== 'variables') {
      const type = frame.kind === 'fields' && previous?.text === '...' ? frame.type : frame.next
      frames.push({ kind: 'fields', type, next: null, last: [] })
    }
  }
}

const itemOf = (frame: Frame): GraphQLInputType | null => {
  const type = frame.kind === 'inputs' ? frame.last : frame.kind === 'list' ? frame.type : null
  const list = type === null ? null : getNullableType(type)
  return isListType(list) ? list.ofType : null
}
