// Taking over the members of a map one by one, from one form of a bundle to another.
import { type JsonObject, type JsonValue, memberOf } from '../json_value.ts'

type Map<Name extends string> = { readonly [name in Name]?: JsonValue | undefined }

/** Those of the listed members that are there. Null is absent too, as it is to every reader; nothing else is taken along. */
export function presentMembers<Name extends string>(map: Map<Name>, names: readonly Name[]): JsonObject {
  return Object.fromEntries(
    names.flatMap((name): [string, JsonValue][] => {
      const value = map[name]
      return value === undefined || value === null ? [] : [[name, value]]
    }),
  )
}

/** The same under other names, by a table whose entries say what each member is called and what it shall be called. */
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

/** What was parsed from JSON may have null in place of a part that it lacks. */
export function isPresent<T>(value: T | null | undefined): value is T {
  return value !== undefined && value !== null
}
