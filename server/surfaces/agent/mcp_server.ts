// One server of the protocol for one request: what it offers, and who answers. Nothing of it is kept.
import {
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type ServerContext,
  type ServerOptions,
} from '@modelcontextprotocol/server'
import type { Context } from '../../catalog/context.ts'
import { openContext } from '../../catalog/open_context.ts'
import type { Caller } from '../../domain/accounts/caller.ts'
import type { JsonParts } from '../../kernel/json_parts.ts'
import type { Drain } from '../http/drain.ts'
import { problemsOf } from '../http/problem_of.ts'
import { ARTICLE_TEMPLATE, articleResources, readArticleResource } from './articles.ts'
import { failure } from './failure.ts'
import { INSTRUCTIONS } from './instructions.ts'
import { pacedProgress } from './paced_progress.ts'
import { getPrompt, LISTED_PROMPTS } from './prompts.ts'
import { placeholders } from './result_place.ts'
import type { RpcMessage } from './rpc_message.ts'
import { listedText, readText, type TextResource } from './text_resource.ts'
import { toldTool } from './told_tool.ts'
import type { CallTool, Entered, Tool, ToolHouse, ToolResult } from './tool.ts'

export interface McpHouse extends ToolHouse {
  readonly tools: readonly Tool[]
  readonly callTool: CallTool
  /** Texts that are offered beside the articles. */
  readonly texts: readonly TextResource[]
  readonly drain: Drain
  readonly base: () => string
  /** The package's. */
  readonly version: string
}

/** One request that was let in. */
export interface McpRequest {
  readonly caller: Caller
  readonly entered: Entered
  readonly message: RpcMessage
  /** What the tool answered. The library's message has placeholders for it. */
  result?: JsonParts
}

/** Of 2025 those that every client in use knows. The library adds the revisions of 2026 itself. */
const REVISIONS = ['2025-11-25', '2025-06-18', '2025-03-26']

/** Milliseconds for which lists may be kept: they change with the version of the server only. */
const FRESH_MS = 300_000

const OPTIONS: ServerOptions = {
  supportedProtocolVersions: REVISIONS,
  capabilities: { tools: {}, resources: {}, prompts: {} },
  instructions: INSTRUCTIONS,
  cacheHints: Object.fromEntries(
    (
      ['tools/list', 'prompts/list', 'resources/list', 'resources/templates/list', 'server/discover'] as const
    ).map((method) => [method, { ttlMs: FRESH_MS, cacheScope: 'public' as const }]),
  ),
  // The library would make a compiler of schemas for every request. It validates what people enter in forms, and we
  // never ask for that.
  jsonSchemaValidator: {
    getValidator: () => () => ({ valid: false, data: undefined, errorMessage: 'nothing is asked for' }),
  },
}

export function mcpServer(house: McpHouse, request: McpRequest): Server {
  const server = new Server(
    { name: 'pharos', title: 'Pharos', version: house.version, websiteUrl: house.base() },
    OPTIONS,
  )
  const reading = async (): Promise<Context> => openContext(house, request.caller, undefined, 'read')
  server.setRequestHandler('tools/list', () => ({ tools: house.tools.map(toldTool) }))
  server.setRequestHandler('tools/call', async (_, context) => {
    const result = await called(house, request, context)
    request.result = result.json
    return placeholders(result)
  })
  server.setRequestHandler('resources/list', () =>
    orFault(house, async () => ({
      resources: [...house.texts.map(listedText), ...(await articleResources(await reading()))],
    })),
  )
  server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: [ARTICLE_TEMPLATE] }))
  server.setRequestHandler('resources/read', ({ params }) =>
    orFault(
      house,
      async () => readText(house.texts, params.uri) ?? readArticleResource(await reading(), params.uri),
    ),
  )
  server.setRequestHandler('prompts/list', () => ({ prompts: LISTED_PROMPTS }))
  server.setRequestHandler('prompts/get', ({ params }) => getPrompt(params.name, params.arguments))
  return server
}

/** A server that stops answers the call as refused, so that its stream ends with a result. */
async function called(
  { callTool, drain, tools, services, log }: McpHouse,
  { caller, entered, message }: McpRequest,
  { mcpReq }: ServerContext,
): Promise<ToolResult> {
  const { name = '', args = {} } = message.call ?? {}
  if (!tools.some((tool) => tool.name === name))
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'There is no such tool.')
  const token = mcpReq._meta?.progressToken
  const progress = pacedProgress((params) => {
    if (token === undefined) return
    const notification = {
      method: 'notifications/progress' as const,
      params: { progressToken: token, ...params },
    }
    // The client is gone. The signal tells the tool.
    mcpReq.notify(notification).catch(() => undefined)
  })
  const time = new AbortController()
  const timer = setTimeout(() => time.abort(), services.ceilings.tool_call_ms)
  const signal = AbortSignal.any([mcpReq.signal, time.signal])
  try {
    return await drain.run(() => callTool({ caller }, name, args, { signal, progress, entered }))
  } catch (error) {
    return failure(problemsOf(error, log))
  } finally {
    clearTimeout(timer)
  }
}

/** The library would tell the message of any error. Ours are told by the id in the log. */
async function orFault<T>({ drain, log }: McpHouse, work: () => Promise<T>): Promise<T> {
  try {
    return await drain.run(work)
  } catch (error) {
    if (error instanceof ProtocolError) throw error
    const [{ code, detail, id } = { code: 'internal', detail: '', id: '' }] = problemsOf(error, log)
    throw new ProtocolError(ProtocolErrorCode.InternalError, `${code}: ${detail}`, { id, code })
  }
}
