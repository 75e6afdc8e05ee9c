// What is stored of a code, a token, a session or a client: the SHA-256 of its random secret, and its payload,
// without what the row must not tell.
import { hash } from 'node:crypto'

export const secretHash = (secret: string): Buffer => hash('sha256', secret, 'buffer')

export type Payload = Readonly<Record<string, unknown>>

/** A row that has not expired. `leftSeconds` is by the database's clock, rounded up. */
export interface FoundPayload {
  readonly payload: Payload
  readonly isConsumed: boolean
  readonly leftSeconds: number
}

export function readPayload(text: string): Payload {
  const read: unknown = JSON.parse(text)
  if (!isPayload(read)) throw new Error('A stored payload is no object.')
  return read
}

const isPayload = (value: unknown): value is Payload =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
