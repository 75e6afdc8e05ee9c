// What only a development chain lets one do: make blocks by hand, and take them back.
import { displayHash } from '../../../shared/proof/bitcoin/double_sha256.ts'
import { forgiveBlock, refuseBlock } from '../active_chain.ts'
import { scriptOf } from '../address.ts'
import { underChainLock } from '../chain_lock.ts'
import { mineBlock } from '../mine_block.ts'
import type { RpcMethods } from '../node.ts'
import { readInteger, readText } from '../read_parameters.ts'
import { refuseCall } from '../rpc_refusal.ts'
import { findBlock } from './chain_methods.ts'

/** Blocks that one call makes. */
const MOST_BLOCKS = 1_000

export const developmentMethods: RpcMethods = {
  generatetoaddress: async ({ em, random }, [count, address]) => {
    const blocks = readInteger(count, 'nblocks')
    const payTo = scriptOf(readText(address, 'address'))
    if (payTo === undefined) throw refuseCall('not_found', 'Error: Invalid address')
    if (blocks < 0 || blocks > MOST_BLOCKS)
      throw refuseCall('invalid_parameter', `nblocks must be between 0 and ${MOST_BLOCKS}`)
    const hashes: string[] = []
    while (hashes.length < blocks) hashes.push(displayHash(await mineBlock({ em, random }, payTo)))
    return hashes
  },

  invalidateblock: ({ em }, [hash]) =>
    underChainLock(em, async (inside) => {
      const block = await findBlock(inside, hash)
      if (block.height === 0) throw refuseCall('invalid_parameter', 'The first block cannot be taken back')
      await refuseBlock(inside, block)
      return null
    }),

  reconsiderblock: ({ em }, [hash]) =>
    underChainLock(em, async (inside) => {
      await forgiveBlock(inside, await findBlock(inside, hash))
      return null
    }),
}
