// Writes the proof of an item as an .ots file, from a bundle that passed its verification. Nothing is stored.
import { toBase64 } from '../../../shared/proof/bytes.ts'
import type { JsonObject } from '../../../shared/proof/json_value.ts'
import { claimsPath } from '../../../shared/proof/opentimestamps/item_path.ts'
import {
  type BitcoinNetwork,
  OTS_CONTENT_TYPE,
  otsFileName,
  otsFileOf,
} from '../../../shared/proof/opentimestamps/ots_file.ts'
import { NotExpressible } from '../../../shared/proof/opentimestamps/timestamp_path.ts'
import { refuseAny } from '../../kernel/refusal.ts'
import { itemSubject, readItem, storedObject } from './find_subject.ts'
import { type Generating, verifiedBundle } from './generate_proof.ts'
import {
  chargeGeneration,
  normalizedId,
  proofRequestProblems,
  reading,
  refuseProof,
} from './proof_request.ts'

export interface OpentimestampsExport {
  readonly filename: string
  /** base64. */
  readonly ots: string
  readonly content_type: typeof OTS_CONTENT_TYPE
  readonly network: BitcoinNetwork
}

/** The smallest bundle has everything that an .ots file is made of. */
const SMALLEST = { type: 'item', format: 'json', layout: 'published', witnesses: [] } as const

/**
 * Charged as the generation of a proof is. What the claims alone decide is refused also while the item has no proof
 * yet, because waiting would not help.
 * @throws not_expressible, and the codes of `generate_proof.ts`
 */
export async function exportOpentimestamps(
  house: Generating,
  { userId }: { readonly userId: string },
  { id: given }: { readonly id: string },
): Promise<OpentimestampsExport> {
  refuseAny(proofRequestProblems({ type: 'item', id: given }))
  await chargeGeneration(house.charge, userId)
  const id = normalizedId('item', given) ?? given
  const item = await reading(() => readItem(house.em, userId, id))
  expressed(() => claimsPath(claimsOf(item.claims)))
  const { read } = await verifiedBundle(house, { ...SMALLEST, id }, itemSubject(house, item))
  const { network, bytes } = expressed(() => otsFileOf(read))
  return {
    filename: otsFileName(id, network),
    ots: toBase64(bytes),
    content_type: OTS_CONTENT_TYPE,
    network,
  }
}

function claimsOf(claims: string | null): JsonObject {
  if (claims === null) throw new NotExpressible('redacted')
  return storedObject(claims)
}

/** @throws not_expressible with the reason */
function expressed<T>(express: () => T): T {
  try {
    return express()
  } catch (error) {
    if (!(error instanceof NotExpressible)) throw error
    const { reason, message: detail } = error
    throw refuseProof('not_expressible', { detail, meta: { reason } })
  }
}
