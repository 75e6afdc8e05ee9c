// The message that the first block of a ledger links to, in place of a block before it.

/** Must never change once a chain exists, because the genesis block hashes it. */
export const GENESIS_MESSAGE = 'pharos:genesis:v1'
