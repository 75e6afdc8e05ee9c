// Asks the public sources and records their answers. Each source is asked once per slot, by the first server that
// claims it.
import type { EntityManager } from '@mikro-orm/postgresql'
import type { EntropySource } from '../ledger/observation.ts'
import { recordObservation } from '../ledger/record_observation.ts'
import type { Signer } from '../ledger/signing_key.ts'
import { type Reading, readSource, type SourceAt, SourceFailed, type SourceFailure } from './source.ts'
import { claimSources, noteOutcome } from './source_state.ts'

interface CaptureTools {
  /** A new entity manager per call, because sources are asked concurrently. */
  readonly em: () => EntityManager
  readonly signer: Signer
  readonly sources: readonly SourceAt[]
  /** Milliseconds for one source. */
  readonly timeoutMs?: number
  /** Aborts running requests. Nothing is recorded about their sources then. */
  readonly signal?: AbortSignal
}

/** `known`: the same pulse, ledger or block as before. `news`: the source began to fail, or answers again. */
export type CaptureOutcome = { readonly source: EntropySource; readonly news: boolean } & (
  | { readonly outcome: 'recorded'; readonly id: string }
  | { readonly outcome: 'known' }
  | { readonly outcome: SourceFailure; readonly why: string }
)

/**
 * No transaction is open while a source is asked, and sources do not wait for each other. A failing source is left
 * out: the next block is made without it.
 * @param now.slot number of the slot, see `claimSources`
 * @param now.nowMs the database's time, to reject answers from the future
 */
export async function captureEntropy(
  tools: CaptureTools,
  now: { readonly slot: number; readonly nowMs: number },
): Promise<CaptureOutcome[]> {
  const names = tools.sources.map(({ source }) => source.name)
  const claimed = await claimSources(tools.em(), names, now.slot)
  const asked = await Promise.allSettled(
    tools.sources
      .filter(({ source }) => claimed.has(source.name))
      .map((each) => captureOne(tools, each, now.nowMs)),
  )
  return asked.flatMap((each) => {
    // A fault of ours is thrown only after every source has finished, so that no request continues in the background.
    if (each.status === 'rejected') throw each.reason
    return each.value ?? []
  })
}

async function captureOne(
  { em, signer, timeoutMs, signal }: CaptureTools,
  asked: SourceAt,
  nowMs: number,
): Promise<CaptureOutcome | undefined> {
  const { name } = asked.source
  const reading = await readSource(asked, { timeoutMs, signal })
    .then((read) => plausible(read, nowMs))
    .catch((error: unknown) => {
      if (error instanceof SourceFailed) return error
      throw error
    })
  if (signal?.aborted === true) return undefined
  if (reading instanceof SourceFailed) {
    const news = await noteOutcome(em(), name, reading.reason)
    return { source: name, outcome: reading.reason, why: reading.message, news }
  }
  const recorded = await recordObservation({ em: em(), signer }, { source: name, ...reading })
  return { source: name, news: await noteOutcome(em(), name, null), ...recorded }
}

/** Bitcoin's rules let a block's time be two hours ahead. None of the sources existed before 2009. */
const AHEAD_MS = 2 * 3_600_000
const FIRST_YEAR_MS = Date.UTC(2009, 0)

function plausible(reading: Reading, nowMs: number): Reading {
  const publishedMs = reading.publishedAt.getTime()
  if (publishedMs >= FIRST_YEAR_MS && publishedMs <= nowMs + AHEAD_MS) return reading
  throw new SourceFailed('bad_answer', 'the time of publication is not of this world, or our clock is wrong')
}
