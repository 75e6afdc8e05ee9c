// What every RPC method is made of: the node it works on, the readers of its positional parameters, and the refusals,
// with the codes of Bitcoin Core's JSON-RPC.
import type { EntityManager } from '@mikro-orm/postgresql'
import { internalHash } from '../../shared/proof/bitcoin/bitcoin_bytes.ts'
import { fromHex, isHex } from '../../shared/proof/bytes.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../shared/proof/json_value.ts'
import type { Wallet } from './wallet.ts'

export interface DevchainNode {
  readonly em: EntityManager
  readonly wallet: Wallet
}

/** Returns a value for JSON. Undefined members are left out. */
export type RpcMethod = (node: DevchainNode, parameters: readonly JsonValue[]) => Promise<unknown>

export type RpcMethods = Readonly<Record<string, RpcMethod>>

/** Clients branch on the number; the message is text for people. */
export const RPC_CODES = {
  wrong_type: -3,
  wallet: -4,
  not_found: -5,
  invalid_parameter: -8,
  wallet_not_found: -18,
  unreadable: -22,
  missing_inputs: -25,
  refused: -26,
  already_in_chain: -27,
  not_ready: -28,
  method_not_found: -32601,
  invalid_request: -32600,
  internal: -32603,
  unreadable_request: -32700,
} as const

/** An expected refusal by the node. */
export class RpcRefusal extends Error {
  readonly code: keyof typeof RPC_CODES

  constructor(code: RpcRefusal['code'], message: string) {
    super(message)
    this.name = 'RpcRefusal'
    this.code = code
  }
}

export const refuseCall = (code: RpcRefusal['code'], message: string): RpcRefusal =>
  new RpcRefusal(code, message)

type ParameterReader<T> = (value: JsonValue | undefined, name: string) => T

const ofType =
  <T extends JsonValue>(
    expected: string,
    fits: (value: JsonValue | undefined) => value is T,
  ): ParameterReader<T> =>
  (value, name) => {
    if (fits(value)) return value
    throw refuseCall('wrong_type', `${name}: JSON value is not of expected type ${expected}`)
  }

const readText = ofType<string>('string', (value) => typeof value === 'string')
export const readFlag = ofType<boolean>('bool', (value) => typeof value === 'boolean')
export const readNumber = ofType<number>('number', (value) => typeof value === 'number')
export const readArray = ofType<JsonValue[]>('array', (value) => Array.isArray(value))
export const readObject = ofType<JsonObject>('object', isJsonObject)

/** A whole number from 0 to `most`. */
export function readCount(value: JsonValue | undefined, name: string, most = 0xffff_ffff): number {
  const number = readNumber(value, name)
  if (!Number.isSafeInteger(number)) throw refuseCall('wrong_type', `${name}: JSON value is not an integer`)
  if (number < 0 || number > most)
    throw refuseCall('invalid_parameter', `Invalid parameter, ${name} out of range`)
  return number
}

/** Returns undefined when the value is absent, as null is. */
export const optional = <T>(
  value: JsonValue | undefined,
  name: string,
  read: ParameterReader<T>,
): T | undefined => (value === undefined || value === null ? undefined : read(value, name))

/** Reads a hash in display order and returns it in internal byte order. */
export function readHashParameter(value: JsonValue | undefined, name: string): Uint8Array {
  const text = readText(value, name)
  if (text.length !== 64)
    throw refuseCall('invalid_parameter', `${name} must be of length 64 (not ${text.length})`)
  if (!isHex(text)) throw refuseCall('invalid_parameter', `${name} must be hexadecimal string`)
  return internalHash(text)
}

export function readHexParameter(value: JsonValue | undefined, name: string): Uint8Array {
  const text = readText(value, name).toLowerCase()
  if (!isHex(text)) throw refuseCall('invalid_parameter', `${name} must be hexadecimal string`)
  return fromHex(text)
}

/** Amounts are in satoshis here; the protocol has whole coins. */
export const inCoins = (satoshis: number): number => satoshis / 100_000_000
