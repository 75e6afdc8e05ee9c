// The evidence file of a time-stamp token, by the serial number that the token says.
import type { EntityManager } from '@mikro-orm/postgresql'
import type { DigestTree } from '../../../shared/evidence/digest_tree.ts'
import { type EvidenceItem, receiptOf } from '../../../shared/evidence/evidence.ts'
import { toBase64, toHex } from '../../../shared/proof/bytes.ts'
import { placeOfSerial } from '../../../shared/time_stamps/token_marks.ts'
import { storedObject } from '../../domain/proofs/find_subject.ts'
import { reading } from '../../domain/proofs/proof_request.ts'
import { type TokenRound, tokenEntry, tokenRound, tokenTree } from '../../domain/rounds/round.ts'
import { underWay } from '../../kernel/flow/shared_work.ts'
import { objectText } from '../../kernel/json_text.ts'
import { lru } from '../../kernel/lru.ts'
import { present } from '../../kernel/present.ts'
import { Refusal, refuse } from '../../kernel/refusal.ts'
import type { RoundProofs } from './round_proofs.ts'

interface EvidenceParts {
  readonly em: () => EntityManager
  readonly proofs: Pick<RoundProofs, 'of'>
  /** The origin of this service, for the item. */
  readonly base: () => string
}

interface TokenEvidence {
  /** JSON. */
  readonly text: string
  /** `receipt` while there is no bundle, and `whole` when nothing is still to come. */
  readonly state: 'receipt' | 'proof' | 'whole'
}

/** Hashes of all trees in the memory of one process. A full round has twice its leaves. */
const HELD_BYTES = 16 * 1_024 * 1_024

interface Held {
  readonly round: TokenRound
  readonly tree: DigestTree
}

export type TokenEvidences = ReturnType<typeof openTokenEvidence>

export function openTokenEvidence({ em, proofs, base }: EvidenceParts) {
  const held = lru<number, Held>(HELD_BYTES, ({ round }) => 96 * round.size)
  const making = underWay<number, Held>()

  const make = async (number: number): Promise<Held> => {
    const round = await reading(() => tokenRound(em(), number))
    if (round === undefined) throw unknown()
    const made = { round, tree: await tokenTree(round) }
    held.set(number, made)
    return made
  }

  return Object.freeze({
    /**
     * @param serial hex, as OpenSSL prints it
     * @param address the key of who asks
     * @throws not_found; what `RoundProofs` throws, but for the proof that is not there yet
     */
    of: async (serial: string, address: string): Promise<TokenEvidence> => {
      if (!SERIAL.test(serial)) throw unknown()
      const { round: number, index } = placeOfSerial(BigInt(`0x${serial}`))
      const { round, tree } = held.get(number) ?? (await making.join(number, () => make(number)))
      const digest = tokenEntry(round, index)
      if (digest === undefined) throw unknown()
      const trees = [{ size: round.size, index, salt: undefined, path: tree.path(index) }]
      const receipt = receiptOf({ digest, trees, item: itemOf(round, base()) })
      const proof = await orNothing(proofs.of(toHex(round.root), address))
      if (proof === undefined) return { text: JSON.stringify(receipt), state: 'receipt' }
      const { bundle, logProof, isWhole } = proof
      const text = objectText({ ...receipt, ...present({ bundle, log_proof: logProof }) })
      return { text, state: isWhole ? 'whole' : 'proof' }
    },
  })
}

/** A serial number of ours has 63 bits. Programs write it with a zero in front or without. */
const SERIAL = /^0{0,2}[0-9a-f]{1,16}$/i

const unknown = (): Refusal =>
  refuse('not_found', { detail: 'no token of this service has this serial number' })

const itemOf = (
  { item_id: id, claims, metadata, signing_key_id: signingKeyId, signature }: TokenRound,
  service: string,
): EvidenceItem => ({
  ...{ service, id, signingKeyId },
  claims: storedObject(claims),
  metadata: storedObject(metadata),
  signature: toBase64(signature),
})

/** What is not there yet is left out. */
async function orNothing<T>(made: Promise<T>): Promise<T | undefined> {
  try {
    return await made
  } catch (error) {
    if (error instanceof Refusal && error.code === 'not_found') return undefined
    throw error
  }
}
