// Agents spend the budgets of JSON:API: who is charged, when, and how a model is told to wait.
import { afterEach, expect, it } from 'vitest'
import { openTestApp, type TestApp, type TestAppOptions } from '../../support/app.ts'
import { type Answer, ask } from '../../support/http.ts'
import { agentToken } from './agent_client.ts'

let app: TestApp
afterEach(() => app?.close())

const ENOUGH = 1_000_000
const open = async (limits: TestAppOptions['limits']): Promise<string> => {
  app = await openTestApp({
    limits: { LIMIT_CALLER_PER_MINUTE: ENOUGH, LIMIT_ADDRESS_PER_MINUTE: ENOUGH, ...limits },
  })
  return agentToken(app)
}
const post = (key: string, method: string, params: object = {}): Promise<Answer> =>
  ask(app.port, '/mcp', {
    key,
    headers: { 'Content-Type': 'application/json', Accept: '*/*' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
const call = (key: string, name: string, args: object = {}): Promise<Answer> =>
  post(key, 'tools/call', { name, arguments: args })
const resultIn = ({ text }: Answer) => Object(JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? text)).result

it('one budget counts requests to the API and to the tools; beyond it a tool says how long to wait', async () => {
  const key = await open({ LIMIT_CALLER_PER_MINUTE: 3 })
  expect((await ask(app.port, '/api/json/users/me', { key: app.owner.key })).status).toBe(200)
  expect((await post(key, 'tools/list')).headers.ratelimit).toBe('"caller";r=1')
  expect(resultIn(await call(key, 'server_time')).isError).toBeUndefined()
  const spent = await call(key, 'server_time')
  expect(spent.status).toBe(200)
  expect(resultIn(spent)).toMatchObject({
    isError: true,
    structuredContent: {
      errors: [{ code: 'rate_limited', meta: { retry_after_ms: expect.any(Number), limit: 3 } }],
    },
  })
  const listed = await post(key, 'tools/list')
  expect([listed.status, Number(listed.headers['retry-after']) > 0]).toEqual([429, true])
  expect(listed.json()).toMatchObject({ id: null, error: { data: { errors: [{ code: 'rate_limited' }] } } })
  const large = await call(key, 'hash', { text: 'x'.repeat(20_000) })
  expect(large.status).toBe(429)
})

it('a flood is charged to the address before its credential is looked at', async () => {
  const key = await open({ LIMIT_ADDRESS_PER_MINUTE: 5 })
  // A minute of the clock may end in between: then its window begins again.
  const statuses: number[] = []
  for (let sent = 0; sent < 11; sent += 1)
    statuses.push((await post(sent % 2 === 0 ? 'x' : key, 'ping')).status)
  expect(statuses.slice(-1)).toEqual([429])
  expect((await ask(app.port, '/api/json/users/me', { key: app.owner.key })).status).toBe(429)
})

it('requests without a valid token spend the budget of their address', async () => {
  await open({ LIMIT_CALLER_PER_MINUTE: 2 })
  const statuses = []
  for (let sent = 0; sent < 3; sent += 1) statuses.push((await post(app.owner.key, 'ping')).status)
  expect(statuses).toEqual([401, 401, 429])
})

it('verifying proofs has a budget of its own', async () => {
  const key = await open({ LIMIT_PROOF_VERIFY_PER_MINUTE: 1 })
  const codes = async (name: string, args: object) => {
    const { structuredContent } = resultIn(await call(key, name, args))
    return (structuredContent.errors ?? []).map(({ code }: { code: string }) => code)
  }
  expect(await codes('verify_proof', { proof: 'junk' })).toEqual(['invalid_proof'])
  expect(await codes('verify_proof', { proof: 'junk' })).toEqual(['rate_limited'])
})
