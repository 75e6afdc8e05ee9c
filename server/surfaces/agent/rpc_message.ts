// Reads one JSON-RPC message by the strict reader, so that what is hashed is exactly what was sent, and puts a result
// into its answer as it was written, so that every digit stays.
import { randomUUID } from 'node:crypto'
import { isJsonObject, type JsonObject, type JsonValue, memberOf } from '../../../shared/proof/json_value.ts'
import type { JsonParts } from '../../kernel/json_text.ts'
import { refuse } from '../../kernel/refusal.ts'
import { readJson } from '../http/read_body.ts'
import type { ToolResult } from './tool.ts'

export interface RpcMessage {
  readonly method: string | undefined
  readonly id: string | number | undefined
  /** The request that `notifications/cancelled` names. */
  readonly cancelled: string | number | undefined
  /** What `tools/call` names, and its arguments. */
  readonly call: { readonly name: string; readonly args: JsonObject } | undefined
  /** The message for the protocol, without the arguments of a call: nobody but the tool reads those. */
  readonly body: unknown
}

/**
 * No client counts higher. An id is repeated in the answer, a progress token in each of a hundred notices, and a name
 * in some refusals.
 */
const LONGEST_NAME = 256

/** @throws invalid_json; invalid_body for a batch, which neither revision has, and for what is no message */
export function readMessage(bytes: Uint8Array): RpcMessage {
  const read = readJson(bytes)
  if (Array.isArray(read)) throw wrong('batches are not taken: send each message as a request of its own', [])
  if (!isJsonObject(read)) throw wrong('must be a JSON-RPC message', [])
  const method = memberOf(read, 'method')
  if (method !== undefined && !isName(method)) throw wrong(NAME, ['method'])
  const params = memberOf(read, 'params') ?? {}
  if (!isJsonObject(params)) throw wrong('must be an object', ['params'])
  checkProgressToken(params)
  const call = method === 'tools/call' ? readCall(params) : undefined
  const body = call === undefined ? read : { ...read, params: { ...params, arguments: {} } }
  return {
    method,
    id: readRpcId(memberOf(read, 'id'), ['id']),
    call,
    cancelled:
      method === 'notifications/cancelled'
        ? readRpcId(memberOf(params, 'requestId'), ['params', 'requestId'])
        : undefined,
    body: standard(body),
  }
}

const isName = (value: JsonValue | undefined): value is string =>
  typeof value === 'string' && value.length <= LONGEST_NAME

const NAME = `must be a text of at most ${LONGEST_NAME} characters`

function readRpcId(id: JsonValue | undefined, path: readonly string[]): string | number | undefined {
  if (id === undefined || id === null) return undefined
  if (isName(id) || (typeof id === 'number' && Number.isSafeInteger(id))) return id
  throw wrong(`${NAME}, or an integer`, path)
}

function checkProgressToken(params: JsonObject): void {
  const about = memberOf(params, '_meta')
  if (isJsonObject(about)) readRpcId(memberOf(about, 'progressToken'), ['params', '_meta', 'progressToken'])
}

function readCall(params: JsonObject): RpcMessage['call'] {
  const name = memberOf(params, 'name')
  const args = memberOf(params, 'arguments') ?? {}
  if (!isName(name)) throw wrong(NAME, ['params', 'name'])
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

/** Random, so that they occur nowhere else in a message. */
const TEXT = randomUUID()
const OBJECT = Object.freeze({ [randomUUID()]: 0 })

const TEXT_JSON = JSON.stringify(TEXT)
const OBJECT_JSON = JSON.stringify(OBJECT)
const PLACES = new RegExp(`(${TEXT_JSON}|${OBJECT_JSON.replace(/[{}]/g, '\\$&')})`)

/**
 * The members of a result that stand for its text and for the same as an object. A failure is text alone, because
 * clients hold every object against the output schema of the tool, and show nothing of one that does not fit.
 */
export const placeholders = ({ failed }: Pick<ToolResult, 'failed'>) => ({
  content: [{ type: 'text' as const, text: TEXT }],
  ...(failed ? { isError: true } : { structuredContent: { ...OBJECT } }),
})

/** @param message as the library wrote it */
export function withResult(message: string, result: JsonParts | undefined): string[] {
  if (result === undefined) return [message]
  return message.split(PLACES).flatMap((part) => {
    if (part === OBJECT_JSON) return result.parts
    return part === TEXT_JSON ? ['"', ...result.parts.map(inString), '"'] : [part]
  })
}

/** Part of a JSON text, as part of a JSON string. Parts end between characters, because each is a text of its own. */
const inString = (part: string): string => JSON.stringify(part).slice(1, -1)
