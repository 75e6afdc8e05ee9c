// The fields that a selection asks of one object, as section 6.3.2 of the specification collects them.
import { type FieldNode, type FragmentDefinitionNode, Kind, type SelectionSetNode } from 'graphql'
import { kept } from '../../../kernel/lru.ts'

/** @param sets of fields that are shown together */
export function selectedFields(
  sets: readonly (SelectionSetNode | undefined)[],
  fragments: Pick<ReadonlyMap<string, FragmentDefinitionNode>, 'get'>,
) {
  /** By their names in the answer. Several of one name are shown together. */
  const fields = new Map<string, FieldNode[]>()
  const seen = new Set<string>()
  /** True when a directive decides about one of them. It is among them all the same. */
  let isConditional = false
  const collect = (set: SelectionSetNode | undefined): void => {
    for (const selection of set?.selections ?? []) {
      isConditional ||= (selection.directives ?? []).length > 0
      if (selection.kind === Kind.INLINE_FRAGMENT) collect(selection.selectionSet)
      else if (selection.kind === Kind.FIELD)
        kept<string, FieldNode[]>(fields, (selection.alias ?? selection.name).value, () => []).push(selection)
      else if (!seen.has(selection.name.value)) {
        seen.add(selection.name.value)
        collect(fragments.get(selection.name.value)?.selectionSet)
      }
    }
  }
  for (const set of sets) collect(set)
  return { fields, isConditional }
}
