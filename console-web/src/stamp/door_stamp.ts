// A file that was given while nobody is signed in, as this tab keeps it: its name, size and digest, and its receipt when it
// was stamped. It outlasts the way to the sign-in pages and back.

import { unreadable } from '../data/api_failure.ts'
import { drop, keepJson, keptJson } from '../data/kept/browser_storage.ts'
import { number, shape, text, textOrNull } from '../data/shape.ts'

const readStamp = shape({
  name: text,
  size: number,
  /** SHA-256, 64 hex. */
  hex: (kept) => {
    const hex = text(kept)
    if (!/^[0-9a-f]{64}$/.test(hex)) throw unreadable()
    return hex
  },
  /** The text of an evidence file. Null until the digest was stamped. */
  receipt: textOrNull,
})

export type DoorStamp = ReturnType<typeof readStamp>

const NAME = 'pharos.stamp'

export const keepStamp = (stamp: DoorStamp | null): void => {
  if (stamp === null) drop('tab', NAME)
  else keepJson('tab', NAME, stamp)
}

export const keptStamp = (): DoorStamp | null => keptJson('tab', NAME, readStamp)

export const hasUnstamped = (): boolean => keptStamp()?.receipt === null

/** The digest that waits to be submitted by whoever has signed in. What was stamped already needs no account. */
export const takeUnstamped = (): DoorStamp | null => {
  const stamp = keptStamp()
  if (stamp === null || stamp.receipt !== null) return null
  keepStamp(null)
  return stamp
}
