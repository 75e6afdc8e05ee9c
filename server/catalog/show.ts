// How stored values become published ones.
import type { JsonValue } from '../../shared/proof/json_value.ts'

export const hexOf = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex')

export const base64Of = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64')

/** e.g. `2026-11-20T18:00:00.123Z` */
export const timeOf = (at: Date): string => at.toISOString()

export const timeOrNull = (at: Date | null | undefined): string | null => (at ? at.toISOString() : null)

/** Canonical JSON text as the value it spells; our canonical numbers survive the round trip unchanged. */
export const jsonOf = (canonical: string): JsonValue => JSON.parse(canonical)
