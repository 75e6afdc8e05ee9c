// What is refused before a tool is reached: credentials, scopes, origins, methods and bodies, each as HTTP says it.
import { InsufficientScopeError } from '@modelcontextprotocol/client'
import { beforeAll, describe, expect, it } from 'vitest'
import { accessToken, revokeGrant } from '../../support/access_token.ts'
import { type Answer, type Ask, ask } from '../../support/http.ts'
import { testApp } from '../../support/test_app.ts'
import { agentClient, agentToken, REVISIONS } from './agent_client.ts'

const app = testApp()
let token: string
beforeAll(async () => {
  token = await agentToken(app)
})

const HEADERS = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' }
const post = (body: Ask['body'], parts: Ask = {}): Promise<Answer> =>
  ask(app.port, '/mcp', {
    key: token,
    ...parts,
    headers: { ...HEADERS, ...parts.headers },
    ...(body === undefined ? {} : { body }),
  })
const message = (method: string, params: object = {}, id: unknown = 1): string =>
  JSON.stringify({ jsonrpc: '2.0', id, method, params })
const callOf = (name: string, args: unknown = {}): string => message('tools/call', { name, arguments: args })
const LIST = message('tools/list')

const codesOf = (answer: Answer): unknown => {
  const { error } = Object(answer.json())
  return Object(error).data.errors.map(({ code }: { code: string }) => code)
}

describe('a credential', () => {
  const challenge = (error: string) =>
    `Bearer resource_metadata="${app.base}/.well-known/oauth-protected-resource/mcp"${error}`

  it('that is missing, no token, an API key, one of the API, expired or revoked is 401 with the way to a good one, and no scope', async () => {
    const { userId } = app.owner
    const ofApi = await accessToken(app, { userId, scopes: ['api:read', 'api:write'] })
    const expired = await accessToken(app, { userId, scopes: ['mcp:read'], resource: 'mcp', lifetimeMs: -1 })
    const revoked = await accessToken(app, { userId, scopes: ['mcp:read'], resource: 'mcp' })
    await revokeGrant(app, revoked.grantId)
    const jwt = 'eyJhbGciOiJub25lIn0.eyJzdWIiOiJhZGEifQ.'
    for (const key of ['x', jwt, app.owner.key, ofApi.token, expired.token, revoked.token]) {
      const answer = await post(LIST, { key })
      expect([answer.status, codesOf(answer)]).toEqual([401, ['unauthorized']])
      expect(answer.headers['www-authenticate']).toBe(challenge(', error="invalid_token"'))
    }
    const nobody = await ask(app.port, '/mcp', { headers: HEADERS, body: LIST })
    expect([nobody.status, nobody.headers['www-authenticate']]).toEqual([401, challenge('')])
  })

  it('of the tools is unknown to the API', async () => {
    expect((await ask(app.port, '/api/json/users/me', { key: token })).status).toBe(401)
  })

  it('that may only read lists every tool and reads, and is told what it lacks before a tool writes', async () => {
    const key = await agentToken(app, app.owner, ['mcp:read'])
    expect((await post(LIST, { key })).text).toContain('"create_item"')
    expect((await post(callOf('list_items'), { key })).status).toBe(200)
    const claims = { name: 'never', hash: 'ab'.repeat(32), hash_type: 'sha256' }
    const refused = await post(callOf('create_item', { claims }), { key })
    expect([refused.status, refused.text]).toEqual([403, ''])
    expect(refused.headers['www-authenticate']).toBe(
      `Bearer error="insufficient_scope", scope="mcp:read mcp:write", resource_metadata="${app.base}/.well-known/oauth-protected-resource/mcp"`,
    )
    expect(await app.query('SELECT 1 FROM items WHERE display_name = $1', ['never'])).toEqual([])
  })

  it.each(REVISIONS)('that lacks a scope makes the official client ask for it: %s', async (revision) => {
    const client = await agentClient(app, await agentToken(app, app.owner, ['mcp:read']), revision)
    const written = client.callTool({ name: 'delete_webhook_endpoint', arguments: { id: 'x' } })
    const refusal: unknown = await written.catch((error: unknown) => error)
    expect(refusal).toBeInstanceOf(InsufficientScopeError)
    expect(refusal).toMatchObject({
      requiredScope: 'mcp:read mcp:write',
      resourceMetadataUrl: new URL(`${app.base}/.well-known/oauth-protected-resource/mcp`),
    })
    await client.close()
  })
})

describe('where a request comes from', () => {
  const statusWith = async (headers: Record<string, string>) => (await post(LIST, { headers })).status

  it('a Host that is not ours is refused before the credential is looked at', async () => {
    const refused = await post(LIST, { key: 'x', headers: { Host: `rebound.example:${app.port}` } })
    expect([refused.status, codesOf(refused)]).toEqual([403, ['foreign_origin']])
  })

  it('loopback and the public origin are ours, pages need TLS, and nobody may come from nowhere', async () => {
    const good = [
      { Origin: app.base },
      { Origin: 'https://agents.example' },
      { Origin: 'http://127.0.0.1:6274' },
    ]
    for (const headers of [
      ...good,
      { Origin: 'vscode-webview://abc' },
      { Host: 'localhost' },
      { Host: '[::1]:9' },
    ])
      expect([headers, await statusWith(headers)]).toEqual([headers, 200])
    for (const origin of ['null', 'http://agents.example', 'http://localhost.example', 'not an origin', ''])
      expect([origin, await statusWith({ Origin: origin })]).toEqual([origin, 403])
  })

  it('any page may ask, without cookies, and read what it is told', async () => {
    const headers = { Origin: 'https://agents.example', 'Access-Control-Request-Method': 'POST' }
    const preflight = await ask(app.port, '/mcp', { method: 'OPTIONS', headers })
    expect(preflight.status).toBe(204)
    expect(preflight.headers['access-control-allow-origin']).toBe('*')
    expect(preflight.headers['access-control-allow-credentials']).toBeUndefined()
    for (const name of ['Authorization', 'MCP-Protocol-Version', 'Mcp-Method', 'Mcp-Name'])
      expect(preflight.headers['access-control-allow-headers']).toContain(name)
  })
})

describe('a request', () => {
  it('by another method is refused, because there is no session to listen to or to end', async () => {
    for (const method of ['GET', 'DELETE', 'PUT', 'PATCH', 'HEAD']) {
      const answer = await ask(app.port, '/mcp', {
        method,
        key: token,
        headers: { Accept: 'text/event-stream' },
      })
      expect([method, answer.status, answer.headers.allow]).toEqual([method, 405, 'POST'])
    }
  })

  it('with another type, a compressed body or one beyond the ceiling is refused unread', async () => {
    const text = await post(LIST, { headers: { 'Content-Type': 'text/plain' } })
    expect([text.status, codesOf(text)]).toEqual([415, ['unsupported_media_type']])
    const zipped = await post(LIST, { headers: { 'Content-Encoding': 'gzip' } })
    expect(zipped.status).toBe(415)
    const large = await post(undefined, { method: 'POST', headers: { 'Content-Length': '528385' } })
    expect([large.status, codesOf(large)]).toEqual([413, ['request_too_large']])
  })

  const CANCEL_BIG =
    '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":9007199254740993}}'
  const deep = '['.repeat(100_000)
  it.each([
    ['no JSON', '{"jsonrpc"', 'invalid_json', -32_700],
    ['nothing', '', 'invalid_json', -32_700],
    ['too deep', deep, 'invalid_json', -32_700],
    ['a member twice', '{"id":1,"id":2}', 'invalid_json', -32_700],
    ['an unpaired surrogate', message('ping').replace('ping', '\\ud800'), 'invalid_json', -32_700],
    ['a batch', `[${LIST},${LIST}]`, 'invalid_body', -32_600],
    ['a text', '"ping"', 'invalid_body', -32_600],
    ['a method that is no text', '{"jsonrpc":"2.0","id":1,"method":7}', 'invalid_body', -32_600],
    [
      'params that are no object',
      '{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}',
      'invalid_body',
      -32_600,
    ],
    ['a method that is too long', message('x'.repeat(257)), 'invalid_body', -32_600],
    ['a tool whose name is too long', callOf('x'.repeat(257)), 'invalid_body', -32_600],
    [
      'a progress token that each notice would repeat',
      message('ping', { _meta: { progressToken: 'x'.repeat(257) } }),
      'invalid_body',
      -32_600,
    ],
    [
      'a progress token that is none',
      message('ping', { _meta: { progressToken: {} } }),
      'invalid_body',
      -32_600,
    ],
    ['an id that is too long', message('ping', {}, 'x'.repeat(257)), 'invalid_body', -32_600],
    [
      'an id beyond doubles',
      '{"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}',
      'invalid_body',
      -32_600,
    ],
    ['a notice about no id', message('notifications/cancelled', { requestId: {} }), 'invalid_body', -32_600],
    ['a notice beyond doubles', CANCEL_BIG, 'invalid_body', -32_600],
    ['a call without a name', message('tools/call', {}), 'invalid_body', -32_600],
    ['arguments in a list', message('tools/call', { name: 'hash', arguments: [] }), 'invalid_body', -32_600],
  ])('whose body is %s is told what is wrong with it', async (_, body, code, number) => {
    const answer = await post(body)
    expect([answer.status, codesOf(answer)]).toEqual([400, [code]])
    expect(answer.json()).toMatchObject({ jsonrpc: '2.0', id: null, error: { code: number } })
  })

  it('never becomes a fault, and names of prototypes are names', async () => {
    const hostile = [
      callOf('__proto__'),
      callOf('constructor', { __proto__: null }),
      callOf('hash').replace('"arguments":{}', '"arguments":{"__proto__":{"text":"a"}}'),
      callOf('list_items').replace('"arguments":{}', '"arguments":{"filter":{"__proto__":{"eq":1}}}'),
      callOf('get_item', { id: '\u0000' }),
      callOf('get_item', { id: { toString: 1 } }),
      callOf('list_items', { sort: ',,,,', limit: 1e300, after: '\u0000' }),
      message('tools/list', { cursor: 'x' }),
      message('resources/read', { uri: {} }),
      message('prompts/get', { name: 'check_proof', arguments: { proof: 7 } }),
      message('no/such'),
      message('subscriptions/listen', { notifications: {} }),
      message('logging/setLevel', { level: 'debug' }),
      message('initialize', { protocolVersion: {} }),
      JSON.stringify({ jsonrpc: '1.0', id: 1, method: 'ping' }),
      JSON.stringify({ jsonrpc: '2.0', id: 1, result: {} }),
    ]
    for (const body of hostile)
      for (const headers of [
        { 'MCP-Protocol-Version': '2025-11-25' },
        { 'MCP-Protocol-Version': '2026-07-28' },
        {},
      ]) {
        const answer = await post(body, { headers: { ...headers } })
        expect([body, answer.status < 500], answer.text).toEqual([body, true])
        expect(answer.text).not.toContain('"internal"')
      }
    expect(app.logged.filter(({ level }) => level === 'error')).toEqual([])
  })

  it('is one line in the log with its message and its tool, and a call one with what came of it', async () => {
    await post(callOf('get_item', { id: 'x' }))
    await post(callOf('no_such_tool'))
    const lines = app.logged.filter(({ path }) => path === '/mcp').slice(-2)
    expect(lines).toMatchObject([
      {
        status: 200,
        rpc: 'tools/call',
        tool: 'get_item',
        user_id: app.owner.userId,
        client_id: 'a-third-party',
      },
      { status: 200, rpc: 'tools/call' },
    ])
    expect(app.logged.findLast(({ msg }) => msg === 'tool.called')).toMatchObject({
      tool: 'get_item',
      outcome: 'refused',
      codes: ['not_found'],
      user_id: app.owner.userId,
    })
    expect(JSON.stringify(app.logged)).not.toContain(token)
    const metrics = await ask(app.port, '/metrics')
    expect(metrics.text).toMatch(/^pharos_tool_calls_total\{tool="get_item",outcome="refused"\} \d+$/m)
  })
})
