// A filter as clients write it, and its conditions that must all hold, each about one field. Lists look for an index
// among them.
import { operatorNamed } from './operators.ts'
import type { Resource } from './resource.ts'
import { filterableField } from './resource_fields.ts'
import type { OperatorName, StoredForm } from './stored_form.ts'

/** Leaves are client values: text from a query string, or JSON scalars and lists of them from GraphQL. */
export type FilterTree = { readonly [name: string]: FilterTree | FilterLeaf | readonly FilterTree[] }
type FilterLeaf = string | number | boolean | null | readonly (string | number | boolean)[]

export const isTree = (value: unknown): value is FilterTree =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export interface Conjunct {
  readonly field: string
  readonly stored: StoredForm
  readonly operator: OperatorName
  /** As the client wrote them. `compileFilter` has checked them. */
  readonly values: readonly unknown[]
}

export interface Conjunction {
  readonly conjuncts: readonly Conjunct[]
  /** True when the filter has no other conditions. */
  readonly isWhole: boolean
}

/** @param tree a filter that `compileFilter` accepts */
export function conjunctionOf<Row extends object, Context>(
  resource: Resource<Row, Context>,
  tree: FilterTree,
): Conjunction {
  const parts = Object.entries(tree).map(([name, value]): Conjunction => {
    if (name === 'and') {
      const members = isTree(value) || Array.isArray(value) ? Object.values(value) : []
      return together(members.map((member) => (isTree(member) ? conjunctionOf(resource, member) : OTHER)))
    }
    const field = filterableField(resource, name)
    const stored = field?.kind.stored
    if (stored === undefined) return OTHER
    const given = isTree(value) ? Object.entries(value) : [['eq', value] as const]
    return {
      conjuncts: given.flatMap(([word, operand]) => {
        const operator = operatorNamed(word)
        if (operator === undefined) return []
        const isList = operator === 'in' && typeof operand === 'object' && operand !== null
        return [{ field: name, stored, operator, values: isList ? Object.values(operand) : [operand] }]
      }),
      isWhole: true,
    }
  })
  return together(parts)
}

/** `or`, `not` and relationships. */
const OTHER: Conjunction = { conjuncts: [], isWhole: false }

const together = (parts: readonly Conjunction[]): Conjunction => ({
  conjuncts: parts.flatMap(({ conjuncts }) => conjuncts),
  isWhole: parts.every(({ isWhole }) => isWhole),
})
