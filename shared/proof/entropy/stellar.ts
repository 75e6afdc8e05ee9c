// A captured ledger of Stellar.
import { carried } from '../bundle/bundle_parts.ts'
import { stellarLedger } from '../lookups/public_services.ts'
import { momentOf } from '../verify/carried_values.ts'
import {
  comparing,
  countOf,
  type EntropyReader,
  isNumbered,
  sameIgnoringCase,
  sameMoment,
} from './entropy_question.ts'

export const stellarReader: EntropyReader = {
  publishedAt: (payload) => momentOf(carried(payload, 'closed_at')),
  question: (payload, stellarNetwork) => {
    const sequence = countOf(carried(payload, 'sequence'))
    if (sequence === undefined) return undefined
    return comparing(
      stellarLedger(stellarNetwork, sequence),
      (found) =>
        isNumbered(found.sequence, sequence) &&
        sameIgnoringCase(found.hash, carried(payload, 'hash')) &&
        sameMoment(found.closed_at, carried(payload, 'closed_at')),
    )
  },
}
