// A captured block of Bitcoin. Always of the main network.
import { carried } from '../bundle/bundle_parts.ts'
import { bitcoinBlock } from '../lookups/public_services.ts'
import { integerOf, textOf } from '../verify/carried_values.ts'
import { comparing, type EntropyReader } from './entropy_question.ts'

export const bitcoinReader: EntropyReader = {
  publishedAt: (payload) => {
    const seconds = integerOf(carried(payload, 'time'))
    return seconds === undefined ? undefined : seconds * 1000
  },
  question: (payload) => {
    const hash = textOf(carried(payload, 'hash'))?.toLowerCase()
    if (hash === undefined || !/^[0-9a-f]{64}$/.test(hash)) return undefined
    const height = carried(payload, 'height')
    const time = carried(payload, 'time')
    return comparing(
      bitcoinBlock('mainnet', hash),
      (found) =>
        found.id === hash &&
        (height === undefined || height === found.height) &&
        (time === undefined || time === found.timestamp),
    )
  },
}
