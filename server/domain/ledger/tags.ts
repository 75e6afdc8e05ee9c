// Tags of an item. Its owner may change them at any time, and they are never hashed.

/** An item has at most this many tags, and each has at most this many code points. */
export const TAGS = { items: 20, length: 64 } as const
