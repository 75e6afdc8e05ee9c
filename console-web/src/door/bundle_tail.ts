// The last entries of an entry bundle, from no more than its end: a whole bundle is much larger.
import { readEntryBundle, readLogEntry } from '../../../shared/log/log_entry.ts'

/**
 * The entries that lie whole in the bytes, the last one at the end. The bytes may begin anywhere, so this looks for the
 * first place from which entries follow each other up to the end. Whether they are entries of the log is not known
 * before their inclusion is verified.
 */
export const entriesAtEnd = (bytes: Uint8Array): readonly Uint8Array[] => {
  for (let start = 0; start < bytes.length; start += 1) {
    // An entry begins with the length of its composite, which is 157, behind the two bytes of its own length.
    if (bytes[start + 2] !== 0 || bytes[start + 5] !== 157) continue
    const entries = entriesFrom(bytes.subarray(start))
    if (entries !== null) return entries
  }
  return []
}

const entriesFrom = (bytes: Uint8Array): readonly Uint8Array[] | null => {
  try {
    const entries = readEntryBundle(bytes)
    entries.forEach(readLogEntry)
    return entries
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}
