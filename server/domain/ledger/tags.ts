// Labels that an item's owner may change at any time; they are never hashed.

/** So many, each of so many code points at most. */
export const TAGS = { items: 20, length: 64 } as const
