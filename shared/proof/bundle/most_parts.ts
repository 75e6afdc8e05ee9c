// How many of each repeated part a bundle may have. The ceiling exists because each part adds rows, or names
// in rows, to the report.
import { ENTROPY_NAMES } from '../entropy_names.ts'
import { isJsonObject, type JsonObject, type JsonValue, memberOf } from '../json_value.ts'
import type { Carried } from './bundle_parts.ts'

/** A correct bundle has one commitment per chain, a few witnesses, and at most 512 blocks in `block_path`. */
export const MOST_PARTS = { commitments: 64, block_path: 1_024, witnesses: 64 } as const

/** The witness names that have a meaning. They are always read, however many other names a bundle has. */
const KNOWN_WITNESSES = ['block', ...ENTROPY_NAMES]

/**
 * Cuts lists and maps that have too many entries, and records their places, so that the report can name what
 * was not checked.
 */
export interface Cutting {
  readonly list: <T>(place: string, entries: readonly T[], most: number) => readonly T[]
  readonly listIn: (place: string, value: Carried, most: number) => Carried
  readonly witnesses: (place: string, value: Carried) => Carried
  /** Places that were cut, such as `signing_key_event.commitments`. */
  readonly surplus: readonly string[]
}

export function startCutting(): Cutting {
  const surplus: string[] = []
  const list = <T>(place: string, entries: readonly T[], most: number): readonly T[] => {
    if (entries.length <= most) return entries
    surplus.push(place)
    return entries.slice(0, most)
  }
  return {
    list,
    listIn: (place, value, most) => (Array.isArray(value) ? [...list<JsonValue>(place, value, most)] : value),
    witnesses: (place, value) => {
      if (!isJsonObject(value) || Object.keys(value).length <= MOST_PARTS.witnesses) return value
      surplus.push(place)
      return knownOnly(value)
    },
    surplus,
  }
}

function knownOnly(witnesses: JsonObject): JsonObject {
  const known: JsonObject = {}
  for (const name of KNOWN_WITNESSES) {
    const value = memberOf(witnesses, name)
    if (value !== undefined) known[name] = value
  }
  return known
}
