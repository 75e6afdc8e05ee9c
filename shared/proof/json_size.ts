// How large a JSON value is at least, seen without writing it down.
import type { JsonValue } from './json_value.ts'

/** `{"":0}` less its brackets, and the comma between two: no member takes fewer bytes. */
export const SHORTEST_MEMBER = 5

/**
 * True when every spelling of the value has more than so many bytes. A text counts its UTF-16 code units, of which each
 * is a byte at least. Stops as soon as it is sure; recurses once per level, as the strict reader did.
 */
export const isLargerThan = (value: JsonValue, bytes: number): boolean => roomLeft(value, bytes) < 0

/** What is left of the bytes; below zero, and no exact figure, when they do not suffice. */
function roomLeft(value: JsonValue, bytes: number): number {
  if (typeof value === 'string') return bytes - value.length - 2
  if (typeof value !== 'object' || value === null) return bytes - 1
  let room = bytes - 2
  if (Array.isArray(value)) {
    room -= Math.max(0, value.length - 1)
    for (const one of value) {
      if (room < 0) return room
      room = roomLeft(one, room)
    }
    return room
  }
  let first = true
  for (const name in value) {
    if (room < 0) return room
    const member = value[name]
    if (member !== undefined) room = roomLeft(member, room - name.length - (first ? 3 : 4))
    first = false
  }
  return room
}
