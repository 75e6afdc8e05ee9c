// Reads the positional parameters of a call as Bitcoin Core does. Null counts as absent.
import { internalHash } from '../../shared/proof/bitcoin/double_sha256.ts'
import { fromHex, isHex } from '../../shared/proof/bytes.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../shared/proof/json_value.ts'
import { refuseCall } from './rpc_refusal.ts'

/** Returns undefined when the value is absent. */
export const optional = <T>(
  value: JsonValue | undefined,
  name: string,
  read: (value: JsonValue | undefined, name: string) => T,
): T | undefined => (value === undefined || value === null ? undefined : read(value, name))

/** Reads a hash in display order and returns it in internal byte order. */
export function readHashParameter(value: JsonValue | undefined, name: string): Uint8Array {
  const text = readText(value, name)
  if (text.length !== 64)
    throw refuseCall('invalid_parameter', `${name} must be of length 64 (not ${text.length})`)
  if (!isHex(text)) throw refuseCall('invalid_parameter', `${name} must be hexadecimal string`)
  return internalHash(text)
}

export function readBytes(value: JsonValue | undefined, name: string): Uint8Array {
  const text = readText(value, name).toLowerCase()
  if (!isHex(text)) throw refuseCall('invalid_parameter', `${name} must be hexadecimal string`)
  return fromHex(text)
}

function readText(value: JsonValue | undefined, name: string): string {
  if (typeof value !== 'string') throw wrongType(name, 'string')
  return value
}

export function readFlag(value: JsonValue | undefined, name: string): boolean {
  if (typeof value !== 'boolean') throw wrongType(name, 'bool')
  return value
}

/** A whole number that a double holds exactly. */
export function readInteger(value: JsonValue | undefined, name: string): number {
  if (typeof value !== 'number' || !Number.isSafeInteger(value)) throw wrongType(name, 'integer')
  return value
}

export function readNumber(value: JsonValue | undefined, name: string): number {
  if (typeof value !== 'number') throw wrongType(name, 'number')
  return value
}

export function readArray(value: JsonValue | undefined, name: string): readonly JsonValue[] {
  if (!Array.isArray(value)) throw wrongType(name, 'array')
  return value
}

export function readObject(value: JsonValue | undefined, name: string): JsonObject {
  if (!isJsonObject(value)) throw wrongType(name, 'object')
  return value
}

const wrongType = (name: string, expected: string) =>
  refuseCall('wrong_type', `${name}: JSON value is not of expected type ${expected}`)
