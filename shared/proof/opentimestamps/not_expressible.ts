// The reasons why an item cannot be written as an .ots file, in words for people, and the error that carries one.

export const NOT_EXPRESSIBLE = {
  no_file_digest: 'The claims name no digest of a file, and an .ots file begins with one.',
  hash_type:
    'An .ots file begins with a sha256 or sha1 digest, and the claims name one of another hash_type.',
  redacted: 'The claims were redacted, and an .ots file consists of them in part.',
  too_long:
    'The claims, or the Bitcoin transaction, are longer than the 4,096 bytes that an .ots file takes.',
  too_deep: 'The proof has more steps than readers of .ots files follow.',
  no_bitcoin_commitment: 'Its block is not committed to a Bitcoin chain.',
} as const satisfies Readonly<Record<string, string>>

export type NotExpressibleReason = keyof typeof NOT_EXPRESSIBLE

/** The proof may be sound all the same: its bundle says so. */
export class NotExpressible extends Error {
  override readonly name = 'NotExpressible'
  readonly reason: NotExpressibleReason

  constructor(reason: NotExpressibleReason) {
    super(NOT_EXPRESSIBLE[reason])
    this.reason = reason
  }
}
