// The collaborators of every RPC method.
import type { EntityManager } from '@mikro-orm/postgresql'
import type { JsonValue } from '../../shared/proof/json_value.ts'
import type { Wallet } from './wallet.ts'

export interface DevchainNode {
  readonly em: EntityManager
  readonly wallet: Wallet
  /** Returns this many random bytes. */
  readonly random: (bytes: number) => Uint8Array
}

type Parameters = readonly JsonValue[]

/** Returns a value for JSON. Undefined members are left out. */
export type RpcMethod = (node: DevchainNode, parameters: Parameters) => Promise<unknown>

export type RpcMethods = Readonly<Record<string, RpcMethod>>
