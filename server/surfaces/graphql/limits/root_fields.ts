// Collects the root fields of an operation, including those inside fragments.
import {
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLField,
  getNullableType,
  isListType,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql'

export interface Rooted {
  readonly operation: OperationDefinitionNode
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>
}

const known = new WeakMap<OperationDefinitionNode, readonly FieldNode[]>()

/**
 * Returns one field per name in the answer. Fields that a directive skips count too. The result is cached per operation,
 * whose fragments are those of its document.
 */
export function rootFields(rooted: Rooted): readonly FieldNode[] {
  const before = known.get(rooted.operation)
  if (before !== undefined) return before
  const fields = collectRootFields(rooted)
  known.set(rooted.operation, fields)
  return fields
}

function collectRootFields({ operation, fragments }: Rooted): readonly FieldNode[] {
  const found = new Map<string, FieldNode>()
  const seen = new Set<string>()
  const collect = (set: SelectionSetNode): void => {
    for (const selection of set.selections) {
      if (selection.kind === Kind.FIELD) {
        const key = (selection.alias ?? selection.name).value
        if (!found.has(key)) found.set(key, selection)
      } else if (selection.kind === Kind.INLINE_FRAGMENT) collect(selection.selectionSet)
      else {
        const name = selection.name.value
        const fragment = seen.has(name) ? undefined : fragments.get(name)
        seen.add(name)
        if (fragment !== undefined) collect(fragment.selectionSet)
      }
    }
  }
  collect(operation.selectionSet)
  return [...found.values()]
}

/**
 * The operation's name in the log and the metrics: its root field, or `several`. Only for an operation that is valid,
 * so that the names are those of the schema.
 */
export function operationName(rooted: Rooted): string {
  const names = new Set(rootFields(rooted).map(({ name }) => name.value))
  const [first = 'none'] = names
  return names.size > 1 ? 'several' : first
}

/** True when the operation has no other root fields than these. */
export function asksOnlyFor(rooted: Rooted, names: ReadonlySet<string>): boolean {
  const fields = rootFields(rooted)
  return (
    rooted.operation.operation === 'query' &&
    fields.length > 0 &&
    fields.every(({ name }) => names.has(name.value))
  )
}

/** True for a page, because only pages have the argument `first`. */
export const isSized = ({ args }: GraphQLField<unknown, unknown>): boolean =>
  args.some(({ name }) => name === 'first')

/** True when the field returns a list, nullable or not. */
export const isList = ({ type }: GraphQLField<unknown, unknown>): boolean => isListType(getNullableType(type))
