// Converts stored values to published ones.
import { JsonText } from '../kernel/json_text.ts'
import type { Legible } from '../store/legible.ts'

/** @param bytes a text when the row was read to be shown; it is the hex already */
export const hexOf = (bytes: Legible<Uint8Array>): string =>
  typeof bytes === 'string' ? bytes : bufferOf(bytes).toString('hex')

export const base64Of = (bytes: Legible<Uint8Array>): string =>
  (typeof bytes === 'string' ? Buffer.from(bytes, 'hex') : bufferOf(bytes)).toString('base64')

const bufferOf = ({ buffer, byteOffset, byteLength }: Uint8Array): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength)

/** e.g. `2026-11-20T18:00:00.123Z` */
export const timeOf = (at: Legible<Date>): string => (typeof at === 'string' ? at : at.toISOString())

export const timeOrNull = (at: Legible<Date> | null | undefined): string | null => (at ? timeOf(at) : null)

/**
 * Returns canonical JSON text unchanged, because its exact bytes were hashed. Returns null when there is no text or
 * the column was not read.
 */
export function jsonOf(canonical: string): JsonText
export function jsonOf(canonical: string | null | undefined): JsonText | null
export function jsonOf(canonical: string | null | undefined): JsonText | null {
  return canonical === null || canonical === undefined ? null : new JsonText(canonical)
}
