// The JSON object that the authorization server keeps in a row, without what the row must not tell.

export type Payload = Readonly<Record<string, unknown>>

/** A row that has not expired. `leftSeconds` is by the database's clock, rounded up. */
export interface Found {
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
