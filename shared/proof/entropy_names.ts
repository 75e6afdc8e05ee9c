// The public sources of entropy: a row each. Their names are types of proofs and names of witnesses.

export const ENTROPY_NAMES = ['entropy_nist', 'entropy_stellar', 'entropy_bitcoin'] as const
export type EntropyName = (typeof ENTROPY_NAMES)[number]

/** Frozen: their numbers in what is signed and in the compact layout. A number never changes, and is never given again. */
export const ENTROPY_CODES = {
  entropy_nist: 30,
  entropy_stellar: 31,
  entropy_bitcoin: 32,
} as const satisfies Readonly<Record<EntropyName, number>>

interface Words {
  /** What one observation of it is called. */
  readonly title: string
  /** The source itself in a sentence: `Entropy from … .` */
  readonly inSentence: string
}

/** What a verifier does with them stands in `entropy/entropy_readers.ts`, how they are recorded in the server's `entropy/sources.ts`. */
export const ENTROPY_WORDS: Readonly<Record<EntropyName, Words>> = {
  entropy_nist: { title: 'NIST randomness beacon', inSentence: 'the NIST beacon' },
  entropy_stellar: { title: 'Stellar ledger', inSentence: 'Stellar' },
  entropy_bitcoin: { title: 'Bitcoin block', inSentence: 'Bitcoin' },
}

export const isEntropyName = (name: string): name is EntropyName => Object.hasOwn(ENTROPY_CODES, name)
