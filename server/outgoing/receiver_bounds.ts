// The limits of one attempt: its time, and how much of the receiver's data is read.

/** Milliseconds, bytes and counts per attempt. */
export const RECEIVER_BOUNDS = {
  connect: 5_000,
  whole: 15_000,
  headerBytes: 16_384,
  /** The rest of a longer body is not read. */
  bodyBytes: 65_536,
  /** Maximum number of 1xx answers before the final answer. */
  interim: 10,
  /** Maximum number of pieces in which the answer may arrive, because one byte costs as much as a page. */
  pieces: 1_000,
  /** Encrypted bytes received after the handshake. Limits data that TLS can carry beside the answer. */
  wireBytes: 262_144,
} as const

/** Headers, body, and the bytes between and around them. */
export const ANSWER_BYTES = RECEIVER_BOUNDS.headerBytes + RECEIVER_BOUNDS.bodyBytes

/** Seconds for which an endpoint rests after it exceeded a limit, so that a flood is not paid for again at once. */
export const REST_SECONDS = 5

/** A failure of the receiver, described for the endpoint's owner. */
export class ReceiverFailure extends Error {
  /** True when the receiver exceeded a limit. See REST_SECONDS. */
  readonly isFlood: boolean

  constructor(words: string, isFlood = false) {
    super(words)
    this.name = 'ReceiverFailure'
    this.isFlood = isFlood
  }
}
