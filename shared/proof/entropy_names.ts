// The public sources of entropy, one row each. Their names are types of proofs and names of witnesses.

export const ENTROPY_NAMES = ['entropy_nist', 'entropy_stellar', 'entropy_bitcoin'] as const
export type EntropyName = (typeof ENTROPY_NAMES)[number]

/**
 * Frozen: the numbers in the signed payload and in the compact layout. A number never changes and is never
 * used again.
 */
export const ENTROPY_CODES: Readonly<Record<EntropyName, number>> = {
  entropy_nist: 30,
  entropy_stellar: 31,
  entropy_bitcoin: 32,
}

interface Words {
  /** The name of one observation of the source. */
  readonly title: string
  /** The name of the source inside a sentence: `Entropy from … .` */
  readonly inSentence: string
}

/**
 * The verifier's part is in `verify/entropy_readers.ts`, the recording in the server's `entropy/source.ts`.
 */
export const ENTROPY_WORDS: Readonly<Record<EntropyName, Words>> = {
  entropy_nist: { title: 'NIST randomness beacon', inSentence: 'the NIST beacon' },
  entropy_stellar: { title: 'Stellar ledger', inSentence: 'Stellar' },
  entropy_bitcoin: { title: 'Bitcoin block', inSentence: 'Bitcoin' },
}

export const isEntropyName = (name: string): name is EntropyName => Object.hasOwn(ENTROPY_CODES, name)
