// Reads one JSON-RPC message. The strict reader judges it, so that what is hashed is exactly what was sent.
import { isJsonObject, type JsonObject, type JsonValue, memberOf } from '../../../shared/proof/json_value.ts'
import { refuse } from '../../kernel/refusal.ts'
import { readJson } from '../http/read_json.ts'

export interface RpcMessage {
  readonly method: string | undefined
  readonly id: string | number | undefined
  readonly params: JsonObject
  /** What `tools/call` names, and its arguments. */
  readonly call: { readonly name: string; readonly args: JsonObject } | undefined
  /** The message for the protocol, without the arguments of a call: nobody but the tool reads those. */
  readonly body: unknown
}

/** No client counts higher, and an id is repeated in the answer. */
const LONGEST_ID = 256

/** @throws invalid_json; invalid_body for a batch, which neither revision has, and for what is no message */
export function readMessage(bytes: Uint8Array): RpcMessage {
  const read = readJson(bytes)
  if (Array.isArray(read)) throw wrong('batches are not taken: send each message as a request of its own', [])
  if (!isJsonObject(read)) throw wrong('must be a JSON-RPC message', [])
  const method = memberOf(read, 'method')
  if (method !== undefined && typeof method !== 'string') throw wrong('must be a text', ['method'])
  const params = memberOf(read, 'params') ?? {}
  if (!isJsonObject(params)) throw wrong('must be an object', ['params'])
  const call = method === 'tools/call' ? readCall(params) : undefined
  const body = call === undefined ? read : { ...read, params: { ...params, arguments: {} } }
  return { method, id: readRpcId(memberOf(read, 'id')), params, call, body: standard(body) }
}

function readRpcId(id: JsonValue | undefined): string | number | undefined {
  if (id === undefined || id === null) return undefined
  const isId = typeof id === 'string' ? id.length <= LONGEST_ID : Number.isSafeInteger(id)
  if (!isId || (typeof id !== 'string' && typeof id !== 'number'))
    throw wrong(`must be a text of at most ${LONGEST_ID} characters, or an integer`, ['id'])
  return id
}

function readCall(params: JsonObject): RpcMessage['call'] {
  const name = memberOf(params, 'name')
  const args = memberOf(params, 'arguments') ?? {}
  if (typeof name !== 'string') throw wrong('must be a text', ['params', 'name'])
  if (!isJsonObject(args)) throw wrong('must be an object', ['params', 'arguments'])
  return { name, args }
}

/** The protocol's library knows the values of the standard reader: it has no exact integers beyond those of doubles. */
function standard(value: JsonValue): unknown {
  if (typeof value === 'bigint') return Number(value)
  if (Array.isArray(value)) return value.map(standard)
  if (!isJsonObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, standard(one)]))
}

const wrong = (detail: string, path: readonly string[]) =>
  refuse('invalid_body', { path: ['', ...path], detail })
