// How many of each repeated part a bundle may have: every one of them adds rows to the report, or names to one.
import { ENTROPY_NAMES } from '../entropy_names.ts'
import { isJsonObject, type JsonObject, type JsonValue, memberOf } from '../json_value.ts'
import type { Carried } from './bundle_parts.ts'

/** An honest bundle has one commitment a chain, a few witnesses, and at most 512 blocks between. */
export const MOST_PARTS = { commitments: 64, block_path: 1_024, witnesses: 64 } as const

/** Names of witnesses that mean something. They are looked at however many others stand beside them. */
const KNOWN_WITNESSES = ['block', ...ENTROPY_NAMES]

/** Cuts lists and maps that have too many entries, and remembers their places: what is left out must not pass unnoticed. */
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
