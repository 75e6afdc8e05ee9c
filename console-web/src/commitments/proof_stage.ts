// How far a subject is on its way to a proof.

export type ProofStage =
  /** Accepted, but not in a block yet. */
  | 'no_block'
  /** In a block that no public chain carries yet. */
  | 'waiting'
  | 'ready'
  /** Its data are deleted, so nothing can be recomputed. */
  | 'gone'

type Subject = {
  readonly state: string
  readonly blockId: string | null
  readonly blockState: string | null
  readonly proofAvailableAt: string | null
}

export const itemStage = ({ state, blockId, blockState, proofAvailableAt }: Subject): ProofStage => {
  if (state === 'redacted') return 'gone'
  if (blockId === null) return 'no_block'
  return proofAvailableAt === null && blockState !== 'committed' ? 'waiting' : 'ready'
}

/** Stage of a block, or of a subject when only its block is known. */
export const blockStage = (blockState: string): ProofStage =>
  blockState === 'committed' ? 'ready' : 'waiting'

type Tone = 'good' | 'busy' | 'bad'

const TONES: ReadonlyMap<string, Tone> = new Map([
  ['committed', 'good'],
  ['confirmed', 'good'],
  ['created', 'busy'],
  ['finalized', 'busy'],
  ['submitted', 'busy'],
  ['pending', 'busy'],
  ['failed', 'bad'],
])

/** The colour of a state of a block, an observation or a commitment. Undefined for a word that is not known. */
export const stateTone = (state: string): Tone | undefined => TONES.get(state)
