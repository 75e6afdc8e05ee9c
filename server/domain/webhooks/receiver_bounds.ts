// What one attempt may cost us, whatever the receiver does: time, and how much of what it sends is read.

/** Milliseconds, bytes and counts of one attempt. */
export const RECEIVER_BOUNDS = {
  connect: 5_000,
  whole: 15_000,
  headerBytes: 16_384,
  /** Read at most; what is beyond is not waited for. */
  bodyBytes: 65_536,
  /** 1xx answers before the one that counts. */
  interim: 10,
  /** Pieces that the answer arrives in: a byte at a time costs as much as a page at a time. */
  pieces: 1_000,
  /** Off the wire after the handshake, still encrypted: what TLS itself can be made to carry around nothing. */
  wireBytes: 262_144,
} as const

/** Headers, body, and whatever stands between and around them. */
export const ANSWER_BYTES = RECEIVER_BOUNDS.headerBytes + RECEIVER_BOUNDS.bodyBytes

/** Seconds that an endpoint is left alone after it went beyond one of these: a flood is not paid for again at once. */
export const REST_SECONDS = 5

/** What was wrong with the receiver, in words for its owner. */
export class ReceiverFault extends Error {
  /** It sent more than it may: see REST_SECONDS. */
  readonly isFlood: boolean

  constructor(words: string, isFlood = false) {
    super(words)
    this.name = 'ReceiverFault'
    this.isFlood = isFlood
  }
}
