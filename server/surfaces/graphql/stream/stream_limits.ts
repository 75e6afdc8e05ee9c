// Every duration and ceiling of the GraphQL stream. Durations are in milliseconds.

export const STREAM_TIMING = {
  /** Time for a connection to send its init message; after that it is closed. */
  init: 10_000,
  /** Interval between pings. A peer that misses one is cut off at the next. */
  ping: 25_000,
  /** Interval between checks of expiry and unsent data. */
  sweep: 1_000,
  /** Interval between checks for revoked credentials. Their connections end within 60 s. */
  credentials: 30_000,
  /** Time from a notice about accounts to the check. Notices that arrive meanwhile share it. */
  credentialsNotice: 1_000,
  /** Time for a peer to answer a close; after that it is cut off. */
  ending: 1_000,
} as const

export type StreamTiming = { readonly [name in keyof typeof STREAM_TIMING]: number }

export const STREAM_LIMITS = {
  /** Bytes of one message from a client. */
  message_bytes: 65_536,
  /** Messages of one client between two sweeps. */
  messages: 100,
  /** Concurrent operations of one client. */
  operations: 20,
  /** Unsent bytes that may wait for a slow client. */
  unsent_bytes: 1_048_576,
} as const

/** Close codes of graphql-transport-ws and RFC 6455. */
export const CLOSE = {
  goingAway: 1001,
  tryAgainLater: 1013,
  internal: 4500,
  forbidden: 4403,
  tooManyRequests: 4429,
} as const
