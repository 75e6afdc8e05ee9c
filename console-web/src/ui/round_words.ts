// A round of the service in words.
import type { Round } from '../data/stream/round.ts'
import { count, plural } from './format_count.ts'

export const roundWords = ({ number, digests }: Round): string =>
  `Round ${count(number)}: ${plural(digests, 'digest')} stamped without an account`
