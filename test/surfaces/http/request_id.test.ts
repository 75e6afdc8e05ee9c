// Every answer has the id of its request; the log and the first error have the same one, and a trace goes on.
import { describe, expect, it } from 'vitest'
import { accessToken } from '../../support/access_token.ts'
import { type Ask, ask, eventually } from '../../support/http.ts'
import { testApp } from '../../support/test_app.ts'

const JSON_BODY = { 'Content-Type': 'application/json' }
const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const PARENT = `00-${TRACE}-00f067aa0ba902b7-01`

const app = testApp()

const linesOf = (id: string | undefined, count = 1) =>
  eventually(() => {
    const found = app.logged.filter(({ request_id }) => request_id === id)
    return found.length < count ? undefined : found
  })

const tool = (name: string) =>
  JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: {} } })

describe('the id of a request', () => {
  it.each<[string, string, Ask]>([
    ['a read', '/api/json/beacons/latest', {}],
    ['a page', '/', {}],
    ['health', '/health/live', {}],
    ['what nobody answers', '/nothing/here', {}],
  ])('of %s is in the answer and in the log', async (_, path, parts) => {
    const { headers } = await ask(app.port, path, { key: app.owner.key, ...parts })
    expect(headers['x-request-id']).toMatch(/^[\da-f-]{36}$/)
    expect(await linesOf(headers['x-request-id'])).toMatchObject([{ path }])
  })

  it.each<[string, string, Ask, RegExp]>([
    ['JSON:API', '/api/json/items/x', {}, /"errors":\[\{"id":"([^"]+)"/],
    ['GraphQL', '/gql', { headers: JSON_BODY, body: '{"query":"{ nothing }"}' }, /"id":"([^"]+)"/],
    ['a tool', '/mcp', { headers: JSON_BODY, body: tool('no_such_tool') }, /id\\*":\\*"([\da-f-]{36})/],
  ])('is the id of the first error of %s', async (_, path, parts, pattern) => {
    const { headers, text } = await ask(app.port, path, { key: app.owner.key, ...parts })
    expect(pattern.exec(text)?.[1]).toBe(headers['x-request-id'])
  })

  it('is in every line that the request causes', async () => {
    const { token } = await accessToken(app, {
      userId: app.owner.userId,
      scopes: ['mcp:read'],
      clientId: 'a-client',
      resource: 'mcp',
    })
    const call = { key: token, headers: JSON_BODY, body: tool('get_latest_beacon') }
    const { headers } = await ask(app.port, '/mcp', call)
    const lines = await linesOf(headers['x-request-id'], 2)
    expect(lines.map(({ msg }) => msg).toSorted()).toEqual(['request.answered', 'tool.called'])
  })

  it('is ours: what a client sends is not taken', async () => {
    const { headers } = await ask(app.port, '/health/live', { headers: { 'X-Request-Id': 'mine' } })
    expect(headers['x-request-id']).not.toBe('mine')
  })
})

describe('traceparent', () => {
  const traceOf = async (traceparent: string | readonly string[]) => {
    const { headers } = await ask(app.port, '/health/live', { headers: { traceparent } })
    expect(headers).not.toHaveProperty('traceparent')
    return (await linesOf(headers['x-request-id']))[0]?.trace_id
  }

  it('names the trace in the log', async () => {
    expect(await traceOf(PARENT)).toBe(TRACE)
    expect(await traceOf(`cc-${TRACE}-00f067aa0ba902b7-00-what-a-later-version-adds`)).toBe(TRACE)
  })

  it.each([
    ['is empty', ''],
    ['has upper case', PARENT.toUpperCase()],
    ['has a forbidden version', PARENT.replace('00', 'ff')],
    ['has more parts than its version', `${PARENT}-x`],
    ['has no trace', `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`],
    ['has no span', `00-${TRACE}-${'0'.repeat(16)}-01`],
    ['is short', PARENT.slice(0, -1)],
    ['is not hexadecimal', PARENT.replace('4bf9', '4bg9')],
    ['is long', `cc-${TRACE}-00f067aa0ba902b7-00-${'x'.repeat(1_000)}`],
  ])('that %s names nothing', async (_, value) => {
    expect(await traceOf(value)).toBeUndefined()
  })

  it('that is sent twice names nothing', async () => {
    expect(await traceOf([PARENT, PARENT])).toBeUndefined()
  })
})
