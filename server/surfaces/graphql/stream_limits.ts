// Every duration and ceiling of the GraphQL stream; durations in milliseconds.

export const STREAM_TIMING = {
  /** A connection that has not been let in by then is closed. */
  init: 10_000,
  /** A peer that has not answered a ping by the next one is gone. */
  ping: 25_000,
  /** Expiry and unsent data are looked at this often. */
  sweep: 1_000,
  /** Revoked keys are looked for this often; their connections end within 60 s. */
  credentials: 30_000,
  /** So long a peer may take to answer a close; after that it is cut off. */
  ending: 1_000,
} as const

export type StreamTiming = { readonly [name in keyof typeof STREAM_TIMING]: number }

export const STREAM_LIMITS = {
  /** Bytes of one message of a client. */
  message_bytes: 65_536,
  /** Messages of one client in one sweep. */
  messages: 100,
  /** Operations of one client at a time. */
  operations: 20,
  /** Bytes that wait for a client that does not read. */
  unsent_bytes: 1_048_576,
} as const

/** As graphql-transport-ws and RFC 6455 number them. */
export const CLOSE = {
  goingAway: 1001,
  tryAgainLater: 1013,
  internal: 4500,
  forbidden: 4403,
  tooManyRequests: 4429,
} as const
