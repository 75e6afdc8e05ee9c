// Bitcoin for the conformance suite: the development chain, spoken to over its JSON-RPC.

import { pino } from 'pino'
import { z } from 'zod'
import { putOut } from '../../../server/devchain/standing.ts'
import { startDevchain } from '../../../server/devchain/start_devchain.ts'
import { bitcoinChain } from '../../../server/domain/commitments/chains/bitcoin.ts'
import { openBitcoinRpc } from '../../../server/domain/commitments/chains/bitcoin_rpc.ts'
import { entities } from '../../../server/entities.ts'
import { masterKey } from '../../../server/kernel/sealed.ts'
import { openStore } from '../../../server/store/open_store.ts'
import { rows } from '../../../server/store/rows.ts'
import { internalHash } from '../../../shared/proof/bitcoin/double_sha256.ts'
import { opReturnOf } from '../../../shared/proof/bitcoin/op_return.ts'
import { readTransaction } from '../../../shared/proof/bitcoin/transaction.ts'
import { toHex } from '../../../shared/proof/bytes.ts'
import { cloneDatabase } from '../database.ts'
import { TEST_MASTER_KEY } from '../ledger.ts'
import type { ChainGround, ChainKind } from './chain_ground.ts'

/** The test decides when a block is mined. */
const NEVER_MS = 3_600_000
/** Deep enough that a spent input counts as gone. */
const DEEP = 6

export const bitcoinKind: ChainKind = {
  name: 'bitcoin',
  open: openBitcoinGround,
  behind: (address) =>
    bitcoinChain({ rpc: openBitcoinRpc(address, { timeoutMs: 500, maxBytes: 65_536 }), confirmations: 1 }),
}

export interface BitcoinGround extends ChainGround {
  readonly reorganise: () => Promise<void>
  readonly rpcUrl: string
  readonly mine: (blocks: number) => Promise<void>
}

export async function openBitcoinGround(confirmations = 1): Promise<BitcoinGround> {
  const database = await cloneDatabase()
  const store = await openStore({ url: database.url, poolSize: 4, entities })
  const embedded = await startDevchain(
    { store, masterKey: masterKey(TEST_MASTER_KEY), log: pino({ level: 'silent' }) },
    { mineAfterMs: NEVER_MS },
  )
  const rpc = openBitcoinRpc(embedded.rpcUrl)
  const chain = bitcoinChain({ rpc: openBitcoinRpc(embedded.rpcUrl), confirmations })
  const mine = async (blocks: number) => {
    for (let mined = 0; mined < blocks; mined += 1) await embedded.mine()
  }
  return {
    chain,
    rpcUrl: embedded.rpcUrl,
    mine,
    include: () => mine(confirmations),
    broadcastInVain: async (prepared) => {
      await chain.broadcast(prepared)
      await putOut(store.em(), [Buffer.from(internalHash(prepared.transactionHash))])
    },
    spendElsewhere: async (prepared) => {
      const rival = await chain.prepare(Buffer.alloc(32, 0xee), prepared)
      await chain.broadcast(rival)
      await mine(DEEP)
    },
    reorganise: async () => {
      const tip = await rpc.call('getbestblockhash', [], z.string())
      await rpc.call('invalidateblock', [tip], z.null())
    },
    roots: async () => {
      const found = await rows<{ raw: Buffer }>(
        store.em(),
        `SELECT raw FROM development_transactions WHERE standing = 'chain' AND NOT coinbase ORDER BY height, arrival`,
      )
      return found.flatMap(({ raw }) => {
        const carried = opReturnOf(readTransaction(raw))
        return carried === undefined ? [] : [toHex(carried)]
      })
    },
    close: async () => {
      await chain.close()
      await rpc.close()
      await embedded.close()
      await store.close()
      await database.drop()
    },
  }
}
