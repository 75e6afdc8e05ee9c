// Ids, each with its time: 48 bits of milliseconds, then random bits. Items have ULIDs, 26 characters of uppercase
// Crockford base32; everything else has UUIDs of version 7 (RFC 9562 section 5.7).

/**
 * Lowercase with hyphens, version 7, RFC variant, such as `01a2ce8e-9320-7630-bb7f-73edc8868b1d`. The text
 * itself is hashed, so an id has only one spelling.
 */
export function isUuid7(text: string): boolean {
  return /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(text)
}

/** Accepts either case and returns the canonical spelling. Undefined for any other text. */
export function normalizeUuid7(text: string): string | undefined {
  // The text must be ASCII before toLowerCase, because that turns the Kelvin sign into k.
  if (!/^[0-9a-fA-F-]{36}$/.test(text)) return undefined
  const lower = text.toLowerCase()
  return isUuid7(lower) ? lower : undefined
}

/** Milliseconds since 1970. Undefined for other text and other versions. Does not check the variant bits. */
export function uuid7Time(id: string): number | undefined {
  if (!/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/.test(id)) return undefined
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16)
}

export const ULID_LENGTH = 26

/**
 * Uppercase only and at most 128 bits, such as `01MB78W7FGY7TZHKNWE7WA3Z57`. The text itself is hashed, so an
 * id has only one spelling.
 */
export function isUlid(text: string): boolean {
  return /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/.test(text)
}

/**
 * Accepts either case and returns the canonical spelling. Undefined for any other text. Does not accept
 * Crockford's look-alikes (I, L, O).
 */
export function normalizeUlid(text: string): string | undefined {
  if (!/^[0-9a-zA-Z]{26}$/.test(text)) return undefined // ASCII, because toUpperCase turns U+017F into S
  const upper = text.toUpperCase()
  return isUlid(upper) ? upper : undefined
}

/**
 * Milliseconds since 1970.
 * @throws RangeError when the text is not a ULID
 */
export function ulidTime(ulid: string): number {
  if (!isUlid(ulid)) throw new RangeError('not a ULID')
  let ms = 0
  for (const character of ulid.slice(0, TIME_LENGTH)) ms = ms * 32 + CROCKFORD.indexOf(character)
  return ms
}

export const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
export const TIME_LENGTH = 10
