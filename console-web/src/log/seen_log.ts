// What this browser remembers of the public log of its server: the key, and the last checkpoint that held.
import { drop, keepJson, keptJson } from '../data/kept/browser_storage.ts'
import { shape, text } from '../data/shape.ts'

const readSeen = shape({
  /** The verifier key. It is believed at first sight. */
  key: text,
  /** The note, as it was shown. */
  checkpoint: text,
  /** ISO 8601. */
  seenAt: text,
})

export type SeenLog = ReturnType<typeof readSeen>

const NAME = 'pharos.log'

/** Null before the first visit, and where the browser keeps nothing. */
export const readSeenLog = (): SeenLog | null => keptJson('device', NAME, readSeen)

export const keepSeenLog = ({ key, checkpoint, seenAt }: SeenLog): void =>
  keepJson('device', NAME, { key, checkpoint, seen_at: seenAt })

export const dropSeenLog = (): void => drop('device', NAME)
