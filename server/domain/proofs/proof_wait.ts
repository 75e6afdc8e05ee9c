// When a proof can be had: after the next block, the next epoch, and the time that a public chain takes to confirm it.
import type { ConfiguredChain } from '../commitments/chains/configured_chains.ts'

/** Blocks and epochs are made at the boundaries of slots, which are aligned to the clock. All values are milliseconds. */
export interface ProofSlots {
  readonly blockMs: number
  /** One for each public chain that epochs are committed to. */
  readonly chains: readonly Pick<ConfiguredChain, 'intervalMs' | 'confirmMs'>[]
}

/** What a subject waits for: a block that holds it, an epoch that holds its block, or the chain that has the epoch. */
export type Awaited = 'block' | 'epoch' | 'chain'

/**
 * For the `meta` of a refusal: the milliseconds until a proof is expected. Empty when nothing is committed to any
 * chain; the code's own wait is told then.
 */
export function proofWait(
  { blockMs, chains }: ProofSlots,
  awaited: Awaited,
  nowMs: number,
): { readonly retry_after_ms?: number } {
  const inBlockAt = awaited === 'block' ? boundaryFrom(nowMs, blockMs) : nowMs
  const provenAt = chains.map(
    ({ intervalMs, confirmMs }) =>
      (awaited === 'chain' ? nowMs : boundaryFrom(inBlockAt, intervalMs)) + confirmMs,
  )
  return provenAt.length === 0 ? {} : { retry_after_ms: Math.ceil(Math.min(...provenAt) - nowMs) }
}

const boundaryFrom = (ms: number, slotMs: number): number => Math.ceil(ms / slotMs) * slotMs

/** For models: how long a proof takes from the submission on. */
export function proofWaitWords({ blockMs, chains }: ProofSlots): string {
  const [quickest] = chains.toSorted((a, b) => a.intervalMs + a.confirmMs - b.intervalMs - b.confirmMs)
  if (quickest === undefined) return 'Nothing is committed to a chain here, so no proof can be made.'
  const { intervalMs, confirmMs } = quickest
  return `A proof is ready within about ${spoken(blockMs + intervalMs + confirmMs)} of create_item: blocks are made every ${spoken(blockMs)} and committed to a chain every ${spoken(intervalMs)}.`
}

/** e.g. `45 s`, `26 min` */
const spoken = (ms: number): string =>
  ms < 120_000 ? `${Math.ceil(ms / 1_000)} s` : `${Math.ceil(ms / 60_000)} min`
