// Compiles a selection of plain members to functions that write their values as JSON, exactly as graphql-js would.
import {
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLLeafType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  getNamedType,
  getNullableType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql'
import { selectedFields } from '../schema/selected_fields.ts'

/** Yields the JSON of a value in pieces; each row of a list is one. @throws Irregular */
export type Pieces = (value: unknown) => Iterable<string>

/** @throws Irregular */
type Write = (value: unknown) => string

type Fragments = ReadonlyMap<string, FragmentDefinitionNode>

interface Member {
  readonly field: string
  /** What stands before the value, e.g. `"id":`. */
  readonly name: string
  readonly write: Write
  /** Set for a list of objects. */
  readonly pieces: Pieces | undefined
}

/** A value that only graphql-js completes, because it is an error, comes later, or does not fit its type. */
export class Irregular extends Error {}

/**
 * Returns undefined for a selection that is not plain: a member with a resolver of its own, or a directive.
 * @param nodes the fields of this name, which are shown together
 */
export function compileSelection(
  type: GraphQLOutputType,
  nodes: readonly FieldNode[],
  fragments: Fragments,
): Pieces | undefined {
  const write = writeOf(type, nodes, fragments)
  const nullable = getNullableType(type)
  if (write === undefined) return undefined
  if (isListType(nullable)) {
    const writeRow = writeOf(nullable.ofType, nodes, fragments)
    return writeRow === undefined ? undefined : (value) => inRows(value, write, writeRow)
  }
  const members = isObjectType(nullable) ? membersOf(nullable, nodes, fragments) : undefined
  if (members?.some(({ pieces }) => pieces !== undefined) !== true) return (value) => [write(value)]
  return (value) => inMembers(value, write, members)
}

function* inRows(value: unknown, write: Write, writeRow: Write): Generator<string> {
  if (!Array.isArray(value)) {
    yield write(value)
    return
  }
  let before = '['
  for (const row of value) {
    yield before + writeRow(row)
    before = ','
  }
  yield before === '[' ? '[]' : ']'
}

function* inMembers(value: unknown, write: Write, members: readonly Member[]): Generator<string> {
  if (!isObject(value)) {
    yield write(value)
    return
  }
  let before = '{'
  for (const { field, name, write: writeMember, pieces } of members) {
    yield before + name
    if (pieces === undefined) yield writeMember(value[field])
    else yield* pieces(value[field])
    before = ','
  }
  yield '}'
}

function writeOf(
  type: GraphQLOutputType,
  nodes: readonly FieldNode[],
  fragments: Fragments,
): Write | undefined {
  const nullable = getNullableType(type)
  const write = isLeafType(nullable)
    ? leafWrite(nullable)
    : isListType(nullable)
      ? listWrite(writeOf(nullable.ofType, nodes, fragments))
      : isObjectType(nullable)
        ? objectWrite(membersOf(nullable, nodes, fragments))
        : undefined
  if (write === undefined) return undefined
  if (isNonNullType(type)) return write
  return (value) => (value === null || value === undefined ? 'null' : write(value))
}

/** @throws Irregular for a missing value too. `null` is written before this is called, where it is allowed. */
const leafWrite =
  (type: GraphQLLeafType): Write =>
  (value) => {
    if (value === null || value === undefined || typeof value === 'function' || isUnfinished(value))
      throw new Irregular()
    const shown = serialized(type, value)
    if (typeof shown !== 'string' && typeof shown !== 'number' && typeof shown !== 'boolean')
      throw new Irregular()
    return JSON.stringify(shown)
  }

function serialized(type: GraphQLLeafType, value: unknown): unknown {
  try {
    return type.serialize(value)
  } catch {
    // graphql-js serializes it again and reports the error with its place.
    throw new Irregular()
  }
}

const listWrite = (write: Write | undefined): Write | undefined =>
  write === undefined
    ? undefined
    : (value) => {
        if (!Array.isArray(value)) throw new Irregular()
        return `[${Array.from(value, write).join(',')}]`
      }

const objectWrite = (members: readonly Member[] | undefined): Write | undefined =>
  members === undefined
    ? undefined
    : (value) => {
        if (!isObject(value)) throw new Irregular()
        let text = ''
        for (const { field, name, write } of members)
          text += `${text === '' ? '{' : ','}${name}${write(value[field])}`
        return `${text}}`
      }

function membersOf(
  type: GraphQLObjectType,
  nodes: readonly FieldNode[],
  fragments: Fragments,
): readonly Member[] | undefined {
  const sets = nodes.map(({ selectionSet }) => selectionSet)
  const { fields, isConditional } = selectedFields(sets, fragments)
  if (isConditional || type.isTypeOf) return undefined
  const members: Member[] = []
  for (const [key, shown] of fields) {
    const member = memberOf(type, key, shown, fragments)
    if (member === undefined) return undefined
    members.push(member)
  }
  return members
}

function memberOf(
  type: GraphQLObjectType,
  key: string,
  nodes: readonly FieldNode[],
  fragments: Fragments,
): Member | undefined {
  const field = nodes[0]?.name.value ?? ''
  const name = `"${key}":`
  if (field === '__typename') return { field, name, write: () => `"${type.name}"`, pieces: undefined }
  const known = type.getFields()[field]
  if (known === undefined || known.resolve !== undefined) return undefined
  const write = writeOf(known.type, nodes, fragments)
  if (write === undefined) return undefined
  const hasRows = isListType(getNullableType(known.type)) && isObjectType(getNamedType(known.type))
  return { field, name, write, pieces: hasRows ? compileSelection(known.type, nodes, fragments) : undefined }
}

const isUnfinished = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (value instanceof Error || ('then' in value && typeof value.then === 'function'))

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !isUnfinished(value)
