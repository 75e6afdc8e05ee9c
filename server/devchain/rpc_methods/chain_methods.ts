// RPC methods about the chain: its tip, its blocks, its network.
import type { EntityManager } from '@mikro-orm/postgresql'
import { readHeader } from '../../../shared/proof/bitcoin/block_header.ts'
import { displayHash } from '../../../shared/proof/bitcoin/double_sha256.ts'
import { toHex } from '../../../shared/proof/bytes.ts'
import type { JsonValue } from '../../../shared/proof/json_value.ts'
import { chainWork, difficultyOf } from '../mine_block.ts'
import type { RpcMethods } from '../node.ts'
import { optional, readFlag, readHashParameter, readInteger } from '../read_parameters.ts'
import { refuseCall } from '../rpc_refusal.ts'
import { blockAtHeight, blockByHash, medianTime, readTip, type StoredBlock } from '../stored_block.ts'

export const chainMethods: RpcMethods = {
  getblockchaininfo: async ({ em }) => {
    const tip = await readTip(em)
    const { bits } = readHeader(tip.header)
    return {
      chain: 'regtest',
      blocks: tip.height,
      headers: tip.height,
      bestblockhash: displayHash(tip.hash),
      bits: bits.toString(16),
      difficulty: difficultyOf(bits),
      time: tip.time,
      mediantime: await medianTime(em, tip.hash),
      verificationprogress: 1,
      initialblockdownload: false,
      chainwork: chainWork(tip.height),
      pruned: false,
      warnings: ['This is a development chain: it proves nothing to anybody outside.'],
    }
  },

  getblockcount: async ({ em }) => (await readTip(em)).height,

  getblockhash: async ({ em }, [height]) => {
    const wanted = readInteger(height, 'height')
    const block = wanted < 0 || wanted > 0x7fff_ffff ? undefined : await blockAtHeight(em, wanted)
    if (block === undefined) throw refuseCall('invalid_parameter', 'Block height out of range')
    return displayHash(block.hash)
  },

  getblockheader: async ({ em }, [hash, verbose]) => {
    const block = await findBlock(em, hash)
    const wantsWords = optional(verbose, 'verbose', readFlag) ?? true
    return wantsWords ? describeHeader(em, block) : toHex(block.header)
  },
}

export async function findBlock(em: EntityManager, hash: JsonValue | undefined): Promise<StoredBlock> {
  const block = await blockByHash(em, readHashParameter(hash, 'blockhash'))
  if (block === undefined) throw refuseCall('not_found', 'Block not found')
  return block
}

async function describeHeader(em: EntityManager, block: StoredBlock): Promise<object> {
  const header = readHeader(block.header)
  const next = block.active ? await blockAtHeight(em, block.height + 1) : undefined
  return {
    hash: displayHash(block.hash),
    confirmations: block.active ? (await readTip(em)).height - block.height + 1 : -1,
    height: block.height,
    version: header.version,
    versionHex: header.version.toString(16).padStart(8, '0'),
    merkleroot: displayHash(header.merkleRoot),
    time: header.time,
    mediantime: await medianTime(em, block.hash),
    nonce: header.nonce,
    bits: header.bits.toString(16),
    difficulty: difficultyOf(header.bits),
    chainwork: chainWork(block.height),
    nTx: block.transactionIds.length,
    ...(block.height === 0 ? {} : { previousblockhash: displayHash(header.previousBlock) }),
    ...(next === undefined ? {} : { nextblockhash: displayHash(next.hash) }),
  }
}
