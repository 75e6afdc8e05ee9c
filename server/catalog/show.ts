// Converts stored values to published ones.
import { JsonText } from '../kernel/json_text.ts'

export const hexOf = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex')

export const base64Of = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64')

/** e.g. `2026-11-20T18:00:00.123Z` */
export const timeOf = (at: Date): string => at.toISOString()

export const timeOrNull = (at: Date | null | undefined): string | null => (at ? at.toISOString() : null)

/**
 * Returns canonical JSON text unchanged, because its exact bytes were hashed. Returns null when there is no text or
 * the column was not read.
 */
export function jsonOf(canonical: string): JsonText
export function jsonOf(canonical: string | null | undefined): JsonText | null
export function jsonOf(canonical: string | null | undefined): JsonText | null {
  return canonical === null || canonical === undefined ? null : new JsonText(canonical)
}
