// The previous hash of the first block.

import { toHex } from '../../../shared/proof/bytes.ts'
import { genesisPreviousHash } from '../../../shared/proof/composites.ts'

export const GENESIS_PREVIOUS_HASH = toHex(genesisPreviousHash('pharos:genesis:v1'))
