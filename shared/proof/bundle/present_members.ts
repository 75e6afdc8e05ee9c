// Copies members of a map one by one, from one form of a bundle to another.
import { type JsonObject, type JsonValue, memberOf } from '../json_value.ts'

type Map<Name extends string> = { readonly [name in Name]?: JsonValue | undefined }

/**
 * The listed members that are present. Null counts as absent, as in every reader. Members that are not listed
 * are left out.
 */
export function presentMembers<Name extends string>(map: Map<Name>, names: readonly Name[]): JsonObject {
  return Object.fromEntries(
    names.flatMap((name): [string, JsonValue][] => {
      const value = map[name]
      return value === undefined || value === null ? [] : [[name, value]]
    }),
  )
}

/** As `presentMembers`, with new names: each entry of the table gives the old and the new name. */
export function renamedMembers(
  map: JsonObject,
  names: Iterable<readonly [from: string, to: string]>,
): JsonObject {
  const renamed: JsonObject = {}
  for (const [from, to] of names) {
    const value = memberOf(map, from)
    if (value !== undefined && value !== null) renamed[to] = value
  }
  return renamed
}

/** False also for null, which parsed JSON may have in place of an absent part. */
export function isPresent<T>(value: T | null | undefined): value is T {
  return value !== undefined && value !== null
}
