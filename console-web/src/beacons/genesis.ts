// The previous hash of the first block.

import { toHex } from '../../../shared/proof/bytes.ts'
import { genesisPreviousHash } from '../../../shared/proof/composites.ts'
import { GENESIS_MESSAGE } from '../../../shared/proof/genesis.ts'

export const GENESIS_PREVIOUS_HASH = toHex(genesisPreviousHash(GENESIS_MESSAGE))
