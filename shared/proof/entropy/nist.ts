// A captured pulse of the NIST Randomness Beacon.
import { carried } from '../bundle/bundle_parts.ts'
import { isJsonObject } from '../json_value.ts'
import { nistPulse } from '../lookups/public_services.ts'
import { momentOf } from '../verify/carried_values.ts'
import {
  comparing,
  countOf,
  type EntropyReader,
  isNumbered,
  sameIgnoringCase,
  sameMoment,
} from './entropy_question.ts'

export const nistReader: EntropyReader = {
  publishedAt: (payload) => {
    const pulse = carried(payload, 'pulse')
    return isJsonObject(pulse) ? momentOf(carried(pulse, 'timeStamp')) : undefined
  },
  question: (payload) => {
    const pulse = carried(payload, 'pulse')
    if (!isJsonObject(pulse)) return undefined
    const chainIndex = countOf(carried(pulse, 'chainIndex'))
    const pulseIndex = countOf(carried(pulse, 'pulseIndex'))
    if (chainIndex === undefined || pulseIndex === undefined) return undefined
    return comparing(
      nistPulse(chainIndex, pulseIndex),
      (found) =>
        isNumbered(found.chainIndex, chainIndex) &&
        isNumbered(found.pulseIndex, pulseIndex) &&
        sameIgnoringCase(found.outputValue, carried(pulse, 'outputValue')) &&
        sameMoment(found.timeStamp, carried(pulse, 'timeStamp')),
    )
  },
}
