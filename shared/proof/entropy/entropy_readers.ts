// The questions about each source of entropy, by its name.
import type { EntropyName } from '../entropy_names.ts'
import { bitcoinReader } from './bitcoin.ts'
import type { EntropyReader } from './entropy_question.ts'
import { nistReader } from './nist.ts'
import { stellarReader } from './stellar.ts'

export const ENTROPY_READERS: Readonly<Record<EntropyName, EntropyReader>> = {
  entropy_nist: nistReader,
  entropy_stellar: stellarReader,
  entropy_bitcoin: bitcoinReader,
}
