// The public log of a ledger without a server around it: each block is signed, and nothing is remembered.
import type { BlockLog } from '../../server/domain/ledger/block.ts'
import { createCheckpointSigner } from '../../server/domain/log/public_log.ts'
import type { MasterKey } from '../../server/kernel/sealed.ts'

export const blockLog = (masterKey: MasterKey): BlockLog => ({
  mayGrow: async () => true,
  append: createCheckpointSigner({ masterKey }).append,
})
