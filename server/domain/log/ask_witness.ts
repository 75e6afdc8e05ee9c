// Asks one witness for its cosignatures (C2SP tlog-witness): sizes that it has seen, proofs, what it answers, and what it
// has seen when that does not fit to our log.
import { openCheckpoint } from '../../../shared/log/checkpoint.ts'
import { verifyCosignature } from '../../../shared/log/cosignature.ts'
import {
  MOST_PROOF_HASHES,
  type NoteSignature,
  readDecimal,
  readSignatureLines,
  signatureBy,
  writeHashLines,
} from '../../../shared/log/signed_note.ts'
import type { VerifierKey } from '../../../shared/log/verifier_key.ts'
import { readOrUndefined, toHex, utf8 } from '../../../shared/proof/bytes.ts'
import { sha256 } from '../../../shared/proof/domain_hash.ts'
import type { AskedWitness, Witness, WitnessResult } from './witnesses.ts'

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
    const offered = await offerCheckpoint(line, offer, asked, known)
    if (offered.isAtOdds) {
      const note = await unlessAway(signedByUs(line, offer.logKey, asked, signal))
      if (note !== undefined) await onEvidence(note)
    }
    return resultsOf(asked, offered)
  } catch (error) {
    if (!(error instanceof WitnessAway)) throw error
    if (!signal.aborted) onAway(asked.prefix, error.message)
    return resultsOf(asked, failed(signal.aborted ? 'too_slow' : 'unreachable', false))
  } finally {
    line?.close()
  }
}

const resultsOf = ({ witnesses }: AskedWitness, { cosigned, trouble, seenSize }: Offered): WitnessResult[] =>
  witnesses.map(({ label }) => ({ label, cosignature: cosigned.get(label), trouble, seenSize }))

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

interface WitnessAnswer {
  readonly status: number
  readonly contentType: string | undefined
  /** May be cut. */
  readonly body: Uint8Array
}

/** There is no answer: the witness cannot be reached, or may not be, or was too slow. */
export class WitnessAway extends Error {
  override readonly name = 'WitnessAway'
}

/** A connection to one witness for one round. Both reject with `WitnessAway` alone. */
interface WitnessLine {
  readonly post: (url: URL, body: string, signal: AbortSignal) => Promise<WitnessAnswer>
  readonly get: (url: URL, signal: AbortSignal) => Promise<WitnessAnswer>
  readonly close: () => void
}

/** Rejects with `WitnessAway` alone. */
export type ConnectWitness = (url: URL, signal: AbortSignal) => Promise<WitnessLine>

export interface Offer {
  readonly logKey: VerifierKey
  readonly size: number
  /** The text of the checkpoint, and its note with the signature of the log. */
  readonly text: string
  readonly note: string
  /** The proof from a smaller size to this one. */
  readonly proofFrom: (size: number) => Promise<readonly Uint8Array[]>
}

interface Offered {
  /** The cosignatures that were verified, by the label of their witness. */
  readonly cosigned: ReadonlyMap<string, Uint8Array>
  /** Why the others have not cosigned. */
  readonly trouble: WitnessResult['trouble']
  /** The last size that it has seen, as far as it is known and not larger than ours. */
  readonly seenSize: number | undefined
  /** Set when it has seen what does not fit to our log. Then its monitoring address is worth a look. */
  readonly isAtOdds: boolean
}

/** The size may change between two answers, when somebody else offers our checkpoints too. */
const MOST_TRIES = 3

/** @param seenSize what the witness has seen as far as we know; its own word corrects it */
async function offerCheckpoint(
  line: WitnessLine,
  offer: Offer,
  { prefix, witnesses }: AskedWitness,
  { seenSize, signal }: { readonly seenSize: number; readonly signal: AbortSignal },
): Promise<Offered> {
  let oldSize = seenSize <= offer.size ? seenSize : 0
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const answer = await line.post(new URL(`${prefix}/add-checkpoint`), await bodyOf(offer, oldSize), signal)
    if (answer.status === 200) return cosignedBy(answer, offer, witnesses)
    if (answer.status !== 409) return failed(troubleOf(answer.status), answer.status === 422)
    const answered = readSize(answer)
    if (answered === undefined || answered === oldSize) return failed('saw_another_tree', true)
    if (answered > offer.size) return failed('claims_larger_size', true)
    oldSize = answered
  }
  return { ...failed('refused', false), seenSize: oldSize }
}

/**
 * The checkpoint at the witness's monitoring address, if our log has signed it. What a witness says without our
 * signature is no evidence of anything.
 */
async function signedByUs(
  line: WitnessLine,
  logKey: VerifierKey,
  { prefix }: AskedWitness,
  signal: AbortSignal,
): Promise<Uint8Array | undefined> {
  const origin = toHex(sha256(utf8(logKey.name)))
  const { status, body } = await line.get(new URL(`${prefix}/${origin}/checkpoint`), signal)
  return status === 200 && readOrUndefined(() => openCheckpoint(body, logKey)) ? body : undefined
}

async function bodyOf({ proofFrom, note }: Offer, oldSize: number): Promise<string> {
  const proof = await proofFrom(oldSize)
  if (proof.length > MOST_PROOF_HASHES) throw new Error(`a proof has ${proof.length} hashes`)
  return `old ${oldSize}\n${writeHashLines(proof)}\n${note}`
}

function cosignedBy({ body }: WitnessAnswer, offer: Offer, witnesses: readonly Witness[]): Offered {
  const signatures = signaturesIn(body)
  const cosigned = new Map(
    witnesses.flatMap(({ key, label }) => {
      const cosignature = signatureBy(signatures, key)
      if (cosignature === undefined) return []
      // A witness must say the time.
      const timestamp = verifyCosignature(key, offer.text, cosignature)?.timestamp ?? 0
      return timestamp === 0 ? [] : [[label, cosignature] as const]
    }),
  )
  return {
    cosigned,
    trouble: 'invalid_answer',
    seenSize: cosigned.size > 0 ? offer.size : undefined,
    isAtOdds: false,
  }
}

function signaturesIn(body: Uint8Array): readonly NoteSignature[] {
  try {
    return readSignatureLines(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body))
  } catch {
    return []
  }
}

/** The size in a 409. Undefined when the answer has none in the right form. */
function readSize({ contentType, body }: WitnessAnswer): number | undefined {
  const [type] = (contentType ?? '').split(';')
  const text = new TextDecoder().decode(body)
  if (type?.trim().toLowerCase() !== 'text/x.tlog.size' || !text.endsWith('\n')) return undefined
  return readOrUndefined(() => readDecimal(text.slice(0, -1)))
}

const troubleOf = (status: number): WitnessResult['trouble'] => {
  if (status === 404) return 'unknown_log'
  if (status === 422) return 'saw_another_tree'
  return status >= 400 && status < 500 ? 'refused' : 'invalid_answer'
}

const failed = (trouble: WitnessResult['trouble'], isAtOdds: boolean): Offered => ({
  cosigned: new Map(),
  trouble,
  seenSize: undefined,
  isAtOdds,
})
