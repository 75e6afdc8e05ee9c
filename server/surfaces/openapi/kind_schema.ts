// The schema of a kind: a component when the kind has a form of its own, inline when it is a plain JSON type.
import { type Kind, orNull } from '../../contract/kinds/kind.ts'
import type { Components } from './components.ts'
import type { Node } from './node.ts'

/**
 * Returns e.g. `Hex64`, or `NullableHex64` when null is allowed.
 * @param owner the prefix of an enumeration's name, as in `ItemState`
 */
export function kindSchema(
  components: Components,
  kind: Kind,
  { nullable = false, owner }: { readonly nullable?: boolean; readonly owner: string },
): Node {
  const name = kind.values === undefined ? kind.named.schema : owner
  // Client generators keep one type for an object only if null is a separate alternative.
  if (name !== undefined && nullable && kind.schema.type === 'object')
    return { anyOf: [components.put('schemas', name, kind.schema), { type: 'null' }] }
  const schema = nullable ? orNull(kind.schema) : kind.schema
  if (name === undefined) return schema
  return components.put('schemas', nullable ? `Nullable${name}` : name, schema)
}
