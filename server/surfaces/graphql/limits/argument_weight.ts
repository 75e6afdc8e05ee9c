// Measures the arguments of a field. Every byte is read, stored or hashed again at each place that uses it.
import { type FieldNode, Kind, type ValueNode } from 'graphql'
import type { Arguments } from '../schema/decorate.ts'

/** Bytes that each member of a list or object costs beside its content; also the cost of a number. */
const MEMBER_BYTES = 8

/**
 * Returns a function for the bytes of a field's arguments, with variables replaced by their values. Every node and
 * variable is measured once.
 */
export function scale(variables: Arguments): (node: FieldNode) => number {
  const ofVariables = new Map<string, number>()
  const ofNodes = new Map<FieldNode, number>()
  const ofVariable = (name: string): number => {
    const known = ofVariables.get(name)
    if (known !== undefined) return known
    const bytes = bytesOf(variables[name])
    ofVariables.set(name, bytes)
    return bytes
  }
  const ofValue = (node: ValueNode): number => {
    switch (node.kind) {
      case Kind.VARIABLE:
        return ofVariable(node.name.value)
      case Kind.STRING:
        return Buffer.byteLength(node.value)
      case Kind.LIST:
        return node.values.reduce((sum, value) => sum + MEMBER_BYTES + ofValue(value), 0)
      case Kind.OBJECT:
        return node.fields.reduce((sum, { value }) => sum + MEMBER_BYTES + ofValue(value), 0)
      default:
        return MEMBER_BYTES
    }
  }
  return (node) => {
    const known = ofNodes.get(node)
    if (known !== undefined) return known
    const bytes = (node.arguments ?? []).reduce((sum, { value }) => sum + ofValue(value), 0)
    ofNodes.set(node, bytes)
    return bytes
  }
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
