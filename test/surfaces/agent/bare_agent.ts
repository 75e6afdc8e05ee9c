// The agent surface alone, over real HTTP, with a tool that works for as long as the test wants.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import Koa from 'koa'
import { createAdmission } from '../../../server/admission/turns.ts'
import type { Scope } from '../../../server/domain/accounts/scope.ts'
import { ceilings } from '../../../server/kernel/ceilings.ts'
import { JsonParts } from '../../../server/kernel/json_text.ts'
import { createMetrics } from '../../../server/kernel/metrics.ts'
import { serveAgent } from '../../../server/surfaces/agent/serve.ts'
import { type Tool, type ToolCall, toolCaller } from '../../../server/surfaces/agent/tool.ts'
import { Drain } from '../../../server/surfaces/http/house.ts'

/** A call under way. */
export interface Working {
  readonly call: ToolCall
  /** The result is `{"done":true}`. */
  readonly finish: () => void
  readonly fail: (error: unknown) => void
}

export interface BareAgent {
  readonly base: string
  /** Calls of the tool `work` so far. */
  readonly working: Working[]
  readonly drain: Drain
  readonly logged: Record<string, unknown>[]
  readonly close: () => void
}

/** Any token is that of one caller. */
export async function openBareAgent({ toolCallMs = 60_000 } = {}): Promise<BareAgent> {
  const working: Working[] = []
  const logged: Record<string, unknown>[] = []
  const note = (line: object, msg: string): void => void logged.push({ ...line, msg })
  const drain = new Drain()
  const bounds = ceilings({ tool_call_ms: toolCallMs })
  const charged = async () => ({
    budget: 'jsonapi_caller' as const,
    allowed: true,
    limit: 120,
    remaining: 100,
    retryAfterMs: 0,
  })
  const tool: Tool = {
    name: 'work',
    title: 'Work',
    description: 'Works until it is told to stop.',
    access: 'read',
    inputSchema: { type: 'object' },
    outputSchema: { type: 'object' },
    annotations: {
      title: 'Work',
      readOnlyHint: true,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: false,
    },
    run: (call) =>
      new Promise((resolve, reject) => {
        const finish = () => resolve({ json: new JsonParts(['{"done":true}']), failed: false })
        working.push({ call, finish, fail: reject })
      }),
  }
  const nothing = Object.create(null)
  let base = ''
  const house = {
    base: () => base,
    drain,
    maxBodyBytes: 528_384,
    authenticate: async () => ({
      userId: 'ada',
      fullName: 'Ada',
      plan: 'enterprise' as const,
      credential: {
        kind: 'access_token' as const,
        id: 't',
        clientId: 'c',
        grantId: 'g',
        expiresAt: Number.MAX_SAFE_INTEGER,
      },
      scopes: new Set<Scope>(['mcp:read']),
    }),
    store: nothing,
    services: Object.assign(Object.create(null), { ceilings: bounds }),
    related: () => nothing,
    cursors: nothing,
    door: { address: charged, caller: charged, call: charged, work: charged },
    admission: createAdmission({ ceilings: bounds, delayMs: () => 0 }),
    metrics: createMetrics(),
    log: Object.assign(Object.create(null), { info: note, warn: note, error: note, debug: () => undefined }),
  }
  const koa = new Koa()
  koa.silent = true
  koa.use(
    serveAgent({
      ...house,
      tools: [tool],
      callTool: toolCaller(house, [tool]),
      texts: [],
      version: '0',
    }),
  )
  const server = createServer(koa.callback())
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    base,
    working,
    drain,
    logged,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
