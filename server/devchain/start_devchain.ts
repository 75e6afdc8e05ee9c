// A development Bitcoin chain inside the service. It behaves like regtest to the byte, and proves nothing to outsiders.
import { randomBytes } from 'node:crypto'
import type { Log } from '../kernel/log.ts'
import { repeat } from '../kernel/repeat.ts'
import type { MasterKey } from '../kernel/sealed.ts'
import type { Store } from '../store/open_store.ts'
import { beginChain } from './begin_chain.ts'
import { isDue, mineWhenDue } from './mine_block.ts'
import { openRpcServer } from './rpc_server.ts'
import { openWallet } from './wallet.ts'

export interface Devchain {
  /** Where the node answers, with the password of this start in it: never log it. */
  readonly rpcUrl: string
  readonly close: () => Promise<void>
}

export interface DevchainCollaborators {
  readonly store: Pick<Store, 'em'>
  readonly masterKey: Pick<MasterKey, 'derive'>
  readonly log: Log
  /** So many random bytes. */
  readonly random?: (bytes: number) => Uint8Array
}

/** Milliseconds. */
const MINE_AFTER = 2_000
const LOOK_AT_LEAST_EVERY = 1_000

/**
 * The chain lives in the database; any number of servers may each start one of these on it and serve the same chain.
 * @param options.mineAfterMs how long a transaction waits for its block; blocks come only by need
 */
export async function startDevchain(
  { store, masterKey, log, random = randomBytes }: DevchainCollaborators,
  { mineAfterMs = MINE_AFTER }: { readonly mineAfterMs?: number } = {},
): Promise<Devchain> {
  const wallet = openWallet({ masterKey })
  const miner = () => ({ em: store.em('work'), random })
  await beginChain(miner(), wallet.script)
  const password = Buffer.from(random(24)).toString('base64url')
  const server = await openRpcServer({ node: () => ({ ...miner(), wallet }), log }, password)
  // Every server looks; who is first under the chain's lock mines, and the others find nothing left to do.
  const mining = repeat({
    everyMs: Math.min(mineAfterMs / 2, LOOK_AT_LEAST_EVERY),
    run: async () => {
      if (await isDue(store.em('work'), mineAfterMs))
        await mineWhenDue(miner(), { payTo: wallet.script, afterMs: mineAfterMs })
    },
    onError: (error) => log.error({ err: error }, 'development_chain.mining_failed'),
  })
  return Object.freeze({
    rpcUrl: server.url,
    close: async () => {
      await Promise.all([mining.stop(), server.close()])
    },
  })
}
