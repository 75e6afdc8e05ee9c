// The questions about each source of entropy, by its name.
import type { EntropyName } from '../entropy_names.ts'
import { bitcoin } from './bitcoin.ts'
import type { EntropyReader } from './entropy_question.ts'
import { nist } from './nist.ts'
import { stellar } from './stellar.ts'

export const ENTROPY_READERS: Readonly<Record<EntropyName, EntropyReader>> = {
  entropy_nist: nist,
  entropy_stellar: stellar,
  entropy_bitcoin: bitcoin,
}
