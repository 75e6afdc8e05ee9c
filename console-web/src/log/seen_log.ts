// What this browser remembers of the public log of its server: the key, and the last checkpoint that held.

import { isJsonObject, textAt } from '../data/json_object.ts'
import { drop, keep, kept } from '../data/kept/browser_storage.ts'

export type SeenLog = {
  /** The verifier key. It is believed at first sight. */
  readonly key: string
  /** The note, as it was shown. */
  readonly checkpoint: string
  /** ISO 8601. */
  readonly seenAt: string
}

const NAME = 'pharos.log'

/** Null before the first visit, and where the browser keeps nothing. */
export const readSeenLog = (): SeenLog | null => {
  const text = kept('device', NAME)
  if (text === null) return null
  try {
    const value: unknown = JSON.parse(text)
    if (!isJsonObject(value)) return null
    const [key, checkpoint, seenAt] = [
      textAt(value, 'key'),
      textAt(value, 'checkpoint'),
      textAt(value, 'seen_at'),
    ]
    return key && checkpoint && seenAt ? { key, checkpoint, seenAt } : null
  } catch {
    return null
  }
}

export const keepSeenLog = ({ key, checkpoint, seenAt }: SeenLog): void =>
  keep('device', NAME, JSON.stringify({ key, checkpoint, seen_at: seenAt }))

export const dropSeenLog = (): void => drop('device', NAME)
