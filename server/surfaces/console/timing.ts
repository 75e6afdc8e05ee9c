// Every duration of the console stream, in milliseconds.

export const TIMING = {
  /** A connection that has not joined the namespace by then is closed: longer than a handshake, and not much. */
  join: 6_000,
  /** A handshake whose credential cannot be looked up by then is answered `database_unavailable`. */
  handshake: 5_000,
  pingInterval: 25_000,
  pingTimeout: 20_000,
  /** Unsent data and expiry are looked at this often. */
  sweep: 1_000,
  /** `token.expired` goes out so long before the credential ends. */
  expiryWarning: 30_000,
  /** Revoked keys and lost memberships are looked for this often; a revoked one ends within 60 s. */
  credentials: 30_000,
  /** After a failed look, the next one. */
  credentialsRetry: 5_000,
  /** Facts are read this often while anybody wants them, and whenever poked. */
  facts: 1_000,
  /** A pump that could not read waits so long. */
  pumpRetry: 250,
  /** Events above the rate are summed up for so long. */
  burst: 1_000,
  /** A connection that was told to end and has not, and a server's whole stop. */
  ending: 1_000,
} as const

export type Timing = { readonly [name in keyof typeof TIMING]: number }
