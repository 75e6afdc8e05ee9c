// When a proof can be had: after the next block, the next epoch, and the time that a public chain takes to confirm it.
import type { ConfiguredChain } from '../commitments/chains/configured_chains.ts'
import type { BlockStanding } from '../commitments/commitment_entries.ts'

/** Blocks and epochs are made at the boundaries of slots, which are aligned to the clock. All values are milliseconds. */
export interface ProofSlots {
  readonly blockMs: number
  /** One for each public chain that epochs are committed to. */
  readonly chains: readonly ProofChain[]
}

interface ProofChain extends Pick<ConfiguredChain, 'intervalMs' | 'confirmMs' | 'retryMs'> {
  readonly chain: Pick<ConfiguredChain['chain'], 'name'>
}

/**
 * For the `meta` of a refusal: the milliseconds until a proof is expected on the first chain that can have it. A chain
 * that is late may be late for days, so it counts only when all are: then this is the time to the next try. Null when no
 * chain will ever have it. Empty when nothing is committed to any chain; the code's own wait is told then.
 * @param standings of the block that holds the subject, absent while there is none
 */
export function proofWait(
  { blockMs, chains }: ProofSlots,
  nowMs: number,
  standings?: readonly BlockStanding[],
): { readonly retry_after_ms?: number | null } {
  if (chains.length === 0) return {}
  const inBlockAt = standings === undefined ? boundaryFrom(nowMs, blockMs) : nowMs
  const waits = chains.flatMap(({ chain, intervalMs, confirmMs, retryMs }) => {
    const standing = standings?.find((each) => each.chain === chain.name)
    if (standing?.passed_over === true) return []
    const sinceMs = standing?.since_ms ?? boundaryFrom(inBlockAt, intervalMs)
    return [{ leftMs: sinceMs + confirmMs - nowMs, retryMs }]
  })
  const inTime = waits.filter(({ leftMs }) => leftMs > 0)
  const told = inTime.length > 0 ? inTime.map(({ leftMs }) => leftMs) : waits.map(({ retryMs }) => retryMs)
  return { retry_after_ms: told.length === 0 ? null : Math.ceil(Math.min(...told)) }
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
