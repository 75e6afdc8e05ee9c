// The chain as it stands: its tip, its blocks, its network.
import type { EntityManager } from '@mikro-orm/postgresql'
import { compactSize } from '../../../shared/proof/bitcoin/bitcoin_cursor.ts'
import { readHeader } from '../../../shared/proof/bitcoin/block_header.ts'
import { displayHash } from '../../../shared/proof/bitcoin/double_sha256.ts'
import { readTransaction } from '../../../shared/proof/bitcoin/transaction.ts'
import { concatBytes, toHex } from '../../../shared/proof/bytes.ts'
import type { JsonValue } from '../../../shared/proof/json_value.ts'
import { inCoins } from '../amount.ts'
import type { RpcMethods } from '../node.ts'
import { RELAY_FEE_RATE } from '../parameters.ts'
import { chainWork, difficultyOf } from '../proof_of_work.ts'
import { optional, readFlag, readHash, readInteger } from '../read_parameters.ts'
import { refuseCall } from '../rpc_refusal.ts'
import { blockAtHeight, blockByHash, medianTime, readTip, type StoredBlock } from '../stored_block.ts'
import { transactionsById } from '../stored_transaction.ts'
import { strippedSize } from '../transaction_form.ts'
import { describeTransaction } from '../transaction_words.ts'

/** The newest Bitcoin Core whose answers these are modelled on. */
const MODELLED_ON = 280_000

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

  getnetworkinfo: async () => ({
    version: MODELLED_ON,
    subversion: '/Pharos development chain/',
    networkactive: false,
    connections: 0,
    relayfee: inCoins(RELAY_FEE_RATE * 1000),
    incrementalfee: inCoins(RELAY_FEE_RATE * 1000),
    warnings: [],
  }),

  getblockcount: async ({ em }) => (await readTip(em)).height,

  getbestblockhash: async ({ em }) => displayHash((await readTip(em)).hash),

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

  getblock: async ({ em }, [hash, verbosity]) => {
    const level =
      typeof verbosity === 'boolean' ? Number(verbosity) : optional(verbosity, 'verbosity', readInteger)
    const block = await findBlock(em, hash)
    const held = await transactionsById(em, block.transactionIds)
    const count = compactSize(held.length)
    const bytes = concatBytes(block.header, count, ...held.map(({ raw }) => raw))
    if (level === 0) return toHex(bytes)
    const transactions = held.map(({ raw }) => readTransaction(raw))
    const stripped = transactions.reduce((sum, one) => sum + strippedSize(one), 80 + count.length)
    return {
      ...(await describeHeader(em, block)),
      strippedsize: stripped,
      size: bytes.length,
      weight: 3 * stripped + bytes.length,
      tx:
        level === undefined || level === 1
          ? held.map(({ txid }) => displayHash(txid))
          : transactions.map(describeTransaction),
    }
  },
}

export async function findBlock(em: EntityManager, hash: JsonValue | undefined): Promise<StoredBlock> {
  const block = await blockByHash(em, readHash(hash, 'blockhash'))
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
