// The table of all RPC methods by name. It has the methods that our client calls to commit and prove, and those that
// the OpenTimestamps client calls to verify (getblockcount, getblockhash, getblockheader).
import type { RpcMethod } from '../node.ts'
import { chainMethods } from './chain_methods.ts'
import { coinMethods } from './coin_methods.ts'
import { poolMethods } from './pool_methods.ts'
import { proofMethods } from './proof_methods.ts'
import { rawTransactionMethods } from './raw_transaction_methods.ts'
import { walletMethods } from './wallet_methods.ts'
import { walletTransactionMethods } from './wallet_transaction_methods.ts'

/** Enough to find out which Merkle root the block at a height has. */
export const READING_METHODS: ReadonlySet<string> = new Set([
  'getblockcount',
  'getblockhash',
  'getblockheader',
])

/** A Map, so that a name such as `constructor` finds nothing. */
export const METHODS: ReadonlyMap<string, RpcMethod> = new Map(
  [
    chainMethods,
    poolMethods,
    rawTransactionMethods,
    walletMethods,
    walletTransactionMethods,
    coinMethods,
    proofMethods,
  ].flatMap((methods) => Object.entries(methods)),
)
