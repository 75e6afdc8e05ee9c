// Bitcoin for the conformance suite: the development chain, over its JSON-RPC.
import { pino } from 'pino'
import { startDevchain } from '../../../server/devchain/start_devchain.ts'
import { openWallet } from '../../../server/devchain/wallet.ts'
import { bitcoinChain } from '../../../server/domain/commitments/chains/bitcoin.ts'
import { openBitcoinRpc } from '../../../server/domain/commitments/chains/bitcoin_rpc.ts'
import { masterKey } from '../../../server/kernel/sealed.ts'
import { openStore } from '../../../server/store/open_store.ts'
import { opReturnOf, readTransaction } from '../../../shared/proof/bitcoin/transaction.ts'
import { toHex } from '../../../shared/proof/bytes.ts'
import { cloneDatabase } from '../database.ts'
import { TEST_MASTER_KEY } from '../master_key.ts'
import { rows } from '../rows.ts'
import type { ChainGround, ChainKind } from './chain_ground.ts'
import { controlDevchain, type DevchainControl } from './devchain_control.ts'
import { replacingRpc } from './replacing_rpc.ts'

/** Long enough that only the test mines blocks. */
const NEVER_MS = 3_600_000
/** After this many blocks a spent input counts as settled. */
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
  readonly control: DevchainControl
}

export async function openBitcoinGround(confirmations = 1): Promise<BitcoinGround> {
  const database = await cloneDatabase()
  const store = openStore({ url: database.url, poolSize: 4 })
  const key = masterKey(TEST_MASTER_KEY)
  const devchain = await startDevchain(
    { store, masterKey: key, log: pino({ level: 'silent' }) },
    { mineAfterMs: NEVER_MS },
  )
  const control = controlDevchain({ store, script: openWallet({ masterKey: key }).script })
  const rpc = replacingRpc(openBitcoinRpc(devchain.rpcUrl), store)
  const chain = bitcoinChain({ rpc, confirmations })
  return {
    chain,
    rpcUrl: devchain.rpcUrl,
    control,
    include: () => control.mine(confirmations),
    broadcastInVain: async (prepared) => {
      await chain.broadcast(prepared)
      await control.forget(prepared.transactionHash)
    },
    spendElsewhere: async (prepared) => {
      const rival = await chain.prepare(Buffer.alloc(32, 0xee), prepared)
      await chain.broadcast(rival)
      await control.mine(DEEP)
    },
    reorganise: () => control.takeBack(1),
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
      await devchain.close()
      await store.close()
      await database.drop()
    },
  }
}
