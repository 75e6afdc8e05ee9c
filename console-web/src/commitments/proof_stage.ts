// How far an item, an observation or a block is on its way to a proof, and the words for it that people read everywhere.
// The API has other ones.

/**
 * What is behind comes first. `no_block`: accepted, but not in a block yet; `waiting`: in a block that no public chain
 * carries yet; `gone`: its data are deleted, so nothing can be recomputed.
 */
export const STAGES = ['no_block', 'waiting', 'ready', 'gone'] as const

export type ProofStage = (typeof STAGES)[number]

type Subject = {
  readonly state: string
  /** Not known where only its state was read: then it may be further. */
  readonly blockState?: string | null
  readonly proofAvailableAt?: string | null
}

export const itemStage = ({ state, blockState, proofAvailableAt = null }: Subject): ProofStage => {
  if (state === 'redacted') return 'gone'
  // In a block. The API calls it committed from then on.
  if (state !== 'committed') return 'no_block'
  return proofAvailableAt === null && blockState !== 'committed' ? 'waiting' : 'ready'
}

export const blockStage = (state: string): ProofStage => (state === 'committed' ? 'ready' : 'waiting')

const WORDS: Readonly<Record<ProofStage, string>> = {
  no_block: 'waiting',
  waiting: 'in a block',
  ready: 'on …',
  gone: 'erased',
}

/** `chain` is the name of the one that carries it. Without it nothing is said of what that chain proves. */
export const stageWords = (stage: ProofStage, chain = 'a chain'): string =>
  WORDS[stage].replace('…', () => chain)

/** Of a block, which is in the chain from the beginning. */
export const blockWords = (stage: ProofStage, chain?: string): string =>
  stage === 'waiting' ? 'in the chain' : stageWords(stage, chain)
