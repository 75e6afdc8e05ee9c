// Every method the node answers to, by name.
import type { RpcMethod } from '../node.ts'
import { chainMethods } from './chain_methods.ts'
import { coinLockMethods } from './coin_lock_methods.ts'
import { coinMethods } from './coin_methods.ts'
import { developmentMethods } from './development_methods.ts'
import { poolMethods } from './pool_methods.ts'
import { proofMethods } from './proof_methods.ts'
import { rawTransactionMethods } from './raw_transaction_methods.ts'
import { walletMethods } from './wallet_methods.ts'
import { walletTransactionMethods } from './wallet_transaction_methods.ts'

/** A map, so that a name such as `constructor` finds nothing. */
export const METHODS: ReadonlyMap<string, RpcMethod> = new Map(
  [
    chainMethods,
    poolMethods,
    rawTransactionMethods,
    walletMethods,
    walletTransactionMethods,
    coinLockMethods,
    coinMethods,
    proofMethods,
    developmentMethods,
  ].flatMap((methods) => Object.entries(methods)),
)
