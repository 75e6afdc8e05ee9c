// Asks one witness for its cosignatures, and looks at what it has seen when that does not fit to our log.
import {
  type ConnectWitness,
  type Offer,
  offerCheckpoint,
  signedByUs,
  WitnessAway,
} from './offer_checkpoint.ts'
import type { WitnessResult } from './witness_rows.ts'
import type { AskedWitness } from './witnessing.ts'

export interface AskParts {
  readonly connect: ConnectWitness
  /** Called with a checkpoint that our log signed and a witness has seen, when the witness is at odds with our log. */
  readonly onEvidence: (note: Uint8Array) => Promise<void>
  /** Called with the address of a witness that gave no answer in time, and why. */
  readonly onAway: (prefix: string, reason: string) => void
}

/** One result for each key of the witness. Network errors are results. */
export async function askWitness(
  { connect, onEvidence, onAway }: AskParts,
  offer: Offer,
  asked: AskedWitness,
  known: { readonly seenSize: number; readonly signal: AbortSignal },
): Promise<readonly WitnessResult[]> {
  const { signal } = known
  const url = new URL(asked.prefix)
  let line: Awaited<ReturnType<ConnectWitness>> | undefined
  try {
    line = await connect(url, signal)
    const { cosigned, trouble, seenSize, isAtOdds } = await offerCheckpoint(line, offer, asked, known)
    if (isAtOdds) {
      const note = await unlessAway(signedByUs(line, offer.logKey, asked, signal))
      if (note !== undefined) await onEvidence(note)
    }
    return asked.witnesses.map(({ label }) => ({
      label,
      cosignature: cosigned.get(label),
      trouble,
      seenSize,
    }))
  } catch (error) {
    if (!(error instanceof WitnessAway)) throw error
    if (!signal.aborted) onAway(asked.prefix, error.message)
    const trouble = signal.aborted ? 'too_slow' : 'unreachable'
    return asked.witnesses.map(({ label }) => ({
      label,
      cosignature: undefined,
      trouble,
      seenSize: undefined,
    }))
  } finally {
    line?.close()
  }
}

/** Looks once at what each witness has seen, such as at the start. Witnesses that do not answer are skipped. */
export async function lookForEvidence(
  { connect, onEvidence }: Pick<AskParts, 'connect' | 'onEvidence'>,
  logKey: Offer['logKey'],
  asked: readonly AskedWitness[],
  signal: AbortSignal,
): Promise<void> {
  await Promise.all(
    asked.map(async (one) => {
      const line = await unlessAway(connect(new URL(one.prefix), signal))
      if (line === undefined) return
      const note = await unlessAway(signedByUs(line, logKey, one, signal)).finally(line.close)
      if (note !== undefined) await onEvidence(note)
    }),
  )
}

/** Undefined when the witness gives no answer. */
const unlessAway = <T>(talk: Promise<T>): Promise<T | undefined> =>
  talk.catch((error: unknown) => {
    if (error instanceof WitnessAway) return undefined
    throw error
  })
