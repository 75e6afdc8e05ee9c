// The least size of a JSON value, found without writing the text.
import type { JsonValue } from './json_value.ts'

/** Bytes of `"":0` and a comma. No member takes fewer. */
export const SHORTEST_MEMBER = 5

/**
 * True when every spelling of the value is longer than `bytes`. A text counts as its UTF-16 code units,
 * because each takes at least one byte. Stops as soon as the answer is certain. Recurses once per level, like
 * the strict reader.
 */
export const isLargerThan = (value: JsonValue, bytes: number): boolean => roomLeft(value, bytes) < 0

/** The bytes that are left. Below zero when they are not enough; the value is then not exact. */
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
