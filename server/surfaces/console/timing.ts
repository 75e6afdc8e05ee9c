// Every duration of the console stream, in milliseconds.
export const TIMING = {
  /** Time for a connection to join the namespace, after which it is closed. Slightly longer than a handshake. */
  join: 6_000,
  /** Time to look up the credential of a handshake. After it, the answer is `database_unavailable`. */
  handshake: 5_000,
  pingInterval: 25_000,
  pingTimeout: 20_000,
  /** Interval between checks of unsent data and expiry. */
  sweep: 1_000,
  /** Time between `token.expired` and the end of the credential. */
  expiryWarning: 30_000,
  /** Interval between checks for revoked credentials and lost memberships. A revoked session ends within 60 s. */
  credentials: 30_000,
  /** Time from a notice about accounts to the check. Notices that arrive meanwhile share it. */
  credentialsNotice: 1_000,
  /** Time until the next check after a failed one. */
  credentialsRetry: 5_000,
  /** Interval between reads of facts while anybody listens. A poke also starts a read. */
  facts: 1_000,
  /** Time over which events above the rate are summed up. */
  burst: 1_000,
  /** Time for a connection to end after it was closed, and for the whole stop of a server. */
  ending: 1_000,
} as const

export type Timing = { readonly [name in keyof typeof TIMING]: number }
