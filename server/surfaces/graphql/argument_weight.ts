// What the arguments of a field weigh: every byte is read, stored or hashed again wherever it is used.
import { type FieldNode, Kind, type ValueNode } from 'graphql'
import type { Arguments } from './decorate.ts'

/** Of a member of a list or object, besides what it holds; and of a number. */
const MEMBER_BYTES = 8

/** Bytes of a field's arguments, each variable at what it stands for. Every node and variable is measured once. */
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

/** Not by recursion: how deep it goes is the client's to say. */
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
