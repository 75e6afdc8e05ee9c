// Answers one JSON-RPC body with Bitcoin Core's HTTP statuses.
import { isJsonObject, type JsonValue, memberOf } from '../../shared/proof/json_value.ts'
import { readStrictJson } from '../../shared/proof/strict_json.ts'
import { StrictJsonError } from '../../shared/proof/strict_json_error.ts'
import type { Log } from '../kernel/log.ts'
import { isDatabaseUnavailable, isStatementTimeout } from '../store/database_errors.ts'
import { chainMethods } from './chain_methods.ts'
import { type DevchainNode, RPC_CODES, type RpcMethod, RpcRefusal, refuseCall } from './rpc_method.ts'
import { walletMethods } from './wallet_methods.ts'

export interface RpcAnswer {
  readonly status: number
  readonly body: string
}

export interface Answering {
  /** A new object for each call. */
  readonly node: () => DevchainNode
  readonly log: Log
}

/**
 * Our client calls them to commit and prove, the OpenTimestamps client to verify. A Map, so that a name such as
 * `constructor` finds nothing.
 */
export const METHODS: ReadonlyMap<string, RpcMethod> = new Map(
  Object.entries({ ...chainMethods, ...walletMethods }),
)

const DEEPEST = 16
const MOST_CALLS = 100

/**
 * Never throws. An unexpected error is logged and answered as an internal error.
 * @param allowed the methods that the credential may call. All when undefined. Another one refuses the whole body.
 */
export async function answerBody(
  answering: Answering,
  body: Uint8Array,
  allowed?: ReadonlySet<string>,
): Promise<RpcAnswer> {
  const request = readRequest(body)
  if (request instanceof RpcRefusal) return single(errorReply({ id: null, isNew: false }, request))
  if (allowed !== undefined && ![request].flat().every((call) => isAllowed(call, allowed)))
    return { status: 403, body: '' }
  if (!Array.isArray(request)) return single(await answerCall(answering, request))
  if (request.length === 0 || request.length > MOST_CALLS)
    return single(
      errorReply({ id: null, isNew: false }, refuseCall('invalid_request', 'A batch has 1 to 100 calls')),
    )
  const answers: Outcome[] = []
  for (const call of request) answers.push(await answerCall(answering, call))
  return { status: 200, body: JSON.stringify(answers.map(({ reply }) => reply)) }
}

/** A call without a known method does nothing, and is answered with an error. */
function isAllowed(call: JsonValue, allowed: ReadonlySet<string>): boolean {
  const name = isJsonObject(call) ? memberOf(call, 'method') : undefined
  return typeof name !== 'string' || allowed.has(name)
}

function readRequest(body: Uint8Array): JsonValue | RpcRefusal {
  try {
    return readStrictJson(body, { maxDepth: DEEPEST })
  } catch (error) {
    if (error instanceof StrictJsonError) return refuseCall('unreadable_request', 'Parse error')
    throw error
  }
}

interface Outcome {
  readonly status: number
  readonly reply: object
}

interface Envelope {
  readonly id: string | number | null
  /** True for JSON-RPC 2.0, which sends an error with status 200. */
  readonly isNew: boolean
}

async function answerCall({ node, log }: Answering, call: JsonValue): Promise<Outcome> {
  const envelope = readEnvelope(call)
  try {
    const result = await carryOut(node, call)
    const { id } = envelope
    return {
      status: 200,
      reply: envelope.isNew ? { jsonrpc: '2.0', result, id } : { result, error: null, id },
    }
  } catch (error) {
    if (error instanceof RpcRefusal) return errorReply(envelope, error)
    // Clients take this code for a node that is still starting. They try again and draw no conclusion about their
    // transaction.
    if (isDatabaseUnavailable(error) || isStatementTimeout(error))
      return errorReply(envelope, refuseCall('not_ready', 'The database does not answer'))
    log.error({ err: error }, 'development_chain.failed')
    return errorReply(envelope, refuseCall('internal', 'Internal error'))
  }
}

function readEnvelope(call: JsonValue): Envelope {
  const id = isJsonObject(call) ? memberOf(call, 'id') : undefined
  return {
    id: typeof id === 'string' || typeof id === 'number' ? id : null,
    isNew: isJsonObject(call) && memberOf(call, 'jsonrpc') === '2.0',
  }
}

async function carryOut(node: () => DevchainNode, call: JsonValue): Promise<unknown> {
  if (!isJsonObject(call)) throw refuseCall('invalid_request', 'Invalid Request object')
  const name = memberOf(call, 'method')
  if (typeof name !== 'string') throw refuseCall('invalid_request', 'Method must be a string')
  const parameters = memberOf(call, 'params') ?? []
  if (!Array.isArray(parameters)) throw refuseCall('invalid_request', 'Params must be an array')
  const method = METHODS.get(name)
  if (method === undefined) throw refuseCall('method_not_found', 'Method not found')
  return method(node(), parameters)
}

function errorReply({ id, isNew }: Envelope, { code, message }: RpcRefusal): Outcome {
  const error = { code: RPC_CODES[code], message }
  if (isNew) return { status: 200, reply: { jsonrpc: '2.0', error, id } }
  return { status: statusOf(code), reply: { result: null, error, id } }
}

const statusOf = (code: RpcRefusal['code']): number =>
  code === 'invalid_request' ? 400 : code === 'method_not_found' ? 404 : 500

const single = ({ status, reply }: Outcome): RpcAnswer => ({ status, body: JSON.stringify(reply) })
