// What the first block carries where every other carries its predecessor's hash.

import { toHex } from '../../../shared/proof/bytes.ts'
import { genesisPreviousHash } from '../../../shared/proof/composites.ts'

export const GENESIS_PREVIOUS_HASH = toHex(genesisPreviousHash('pharos:genesis:v1'))
