// The schema of a kind: a component where the kind has a form of its own, inline where it is a plain JSON type.
import type { Kind } from '../../contract/kinds/kind.ts'
import type { Components } from './components.ts'
import type { Node } from './node.ts'

/**
 * e.g. `Hex64`, and `NullableHex64` where null may stand in its place.
 * @param owner what an enumeration is called after: `ItemState`
 */
export function kindSchema(
  components: Components,
  kind: Kind,
  { nullable = false, owner }: { readonly nullable?: boolean; readonly owner: string },
): Node {
  const name = kind.values === undefined ? kind.named.schema : owner
  // An object stays one type of those who make clients, null beside it.
  if (name !== undefined && nullable && kind.schema.type === 'object')
    return { anyOf: [components.put('schemas', name, kind.schema), { type: 'null' }] }
  const schema = nullable ? orNull(kind.schema) : kind.schema
  if (name === undefined) return schema
  return components.put('schemas', nullable ? `Nullable${name}` : name, schema)
}

/** With null among the types, and in a closed set among its members. */
function orNull(schema: Node): Node {
  const { type, enum: members } = schema
  return {
    ...schema,
    ...(typeof type === 'string' ? { type: [type, 'null'] } : {}),
    ...(Array.isArray(members) ? { enum: [...members, null] } : {}),
  }
}
