// Starts a development Bitcoin chain inside the service. It follows the regtest formats exactly, but it proves
// nothing to outsiders.
import { randomBytes } from 'node:crypto'
import { repeat } from '../kernel/flow/repeat.ts'
import type { Log } from '../kernel/log.ts'
import type { MasterKey } from '../kernel/sealed.ts'
import type { Store } from '../store/open_store.ts'
import { beginChain } from './begin_chain.ts'
import { mineWhenDue } from './mine_block.ts'
import { announceReader } from './reader_address.ts'
import { openRpcServer } from './rpc_server.ts'
import { openWallet } from './wallet.ts'

/** Milliseconds. */
const MINE_AFTER = 2_000
const LOOK_AT_LEAST_EVERY = 1_000

export type Devchain = Awaited<ReturnType<typeof startDevchain>>

/**
 * The chain is stored in the database. Any number of servers may start a node on it and serve the same chain.
 */
export async function startDevchain(
  {
    store,
    masterKey,
    log,
  }: {
    readonly store: Pick<Store, 'em'>
    readonly masterKey: Pick<MasterKey, 'derive'>
    readonly log: Log
  },
  {
    mineAfterMs = MINE_AFTER,
    dataDir,
  }: {
    /** How long a transaction waits for its block. Blocks are mined only when a transaction waits. */
    readonly mineAfterMs?: number
    /** Where other programs on this machine find the node. They do not when it is absent. */
    readonly dataDir?: string | undefined
  } = {},
) {
  const wallet = openWallet({ masterKey })
  const miner = () => ({ em: store.em('work'), payTo: wallet.script })
  await beginChain(miner())
  const password = () => randomBytes(24).toString('base64url')
  const server = await openRpcServer(
    { node: () => ({ em: store.em('work'), wallet }), log },
    { wallet: password(), reader: password() },
  )
  const withdraw = await announced(dataDir, server.readerUrl, log)
  const mining = repeat({
    everyMs: Math.min(mineAfterMs / 2, LOOK_AT_LEAST_EVERY),
    run: () => mineWhenDue(miner(), mineAfterMs),
    onError: (error) => log.error({ err: error }, 'development_chain.mining_failed'),
  })
  return Object.freeze({
    /** The node's address. Contains the password of this start. Never log it. */
    rpcUrl: server.url,
    /** The address for programs that may only read headers. */
    readerUrl: server.readerUrl,
    close: async () => {
      await Promise.all([mining.stop(), server.close(), withdraw()])
    },
  })
}

/** The service does without it, where it may not write. */
async function announced(
  dataDir: string | undefined,
  readerUrl: string,
  log: Log,
): Promise<() => Promise<void>> {
  if (dataDir === undefined) return async () => undefined
  try {
    return await announceReader(dataDir, readerUrl)
  } catch (err) {
    log.warn({ err, data_dir: dataDir }, 'development_chain.not_announced')
    return async () => undefined
  }
}
