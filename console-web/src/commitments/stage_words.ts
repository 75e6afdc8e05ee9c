// How far an item, an observation or a block is, in the words that people read everywhere. The API has other ones.
import type { ProofStage } from './proof_stage.ts'

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
