// The previous hash of the first block.
import { toHex } from '../../../shared/proof/bytes.ts'
import { GENESIS_MESSAGE, genesisPreviousHash } from '../../../shared/proof/composites.ts'

export const GENESIS_PREVIOUS_HASH = toHex(genesisPreviousHash(GENESIS_MESSAGE))
