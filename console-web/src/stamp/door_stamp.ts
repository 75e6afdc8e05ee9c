// A file that was given while nobody is signed in, as this tab keeps it: its name, size and digest, and its receipt when it
// was stamped. It outlasts the way to the sign-in pages and back.
import { unreadable } from '../data/api_failure.ts'
import { drop, keepJson, keptJson } from '../data/kept/browser_storage.ts'
import { number, shape, text, textOrNull } from '../data/shape.ts'
import { Store } from '../data/store.ts'
import { saveFile } from '../ui/save_file.ts'

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

export const doorStamp = new Store(keptJson('tab', NAME, readStamp))

doorStamp.subscribe(() => {
  const stamp = doorStamp.read()
  if (stamp === null) drop('tab', NAME)
  else keepJson('tab', NAME, stamp)
})

/** The digest that waits to be submitted by whoever has signed in. What was stamped already needs no account. */
export const takeUnstamped = (): DoorStamp | null => {
  const stamp = doorStamp.read()
  if (stamp === null || stamp.receipt !== null) return null
  doorStamp.write(null)
  return stamp
}

/** For another file. Nobody else has the receipt that gives way. */
export const giveWay = (): void => {
  const stamp = doorStamp.read()
  if (stamp !== null && stamp.receipt !== null) saveFile(evidenceFile(stamp.name, stamp.receipt))
  doorStamp.write(null)
}

export const evidenceFile = (name: string, text: string): File => new File([text], `${name}.pharos`)
