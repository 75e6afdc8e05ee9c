// Calls that take long: their progress, and their end when nobody waits, when the time is over or when the server stops.
import type { CallToolResult, Client, Progress, RequestOptions } from '@modelcontextprotocol/client'
import { afterEach, describe, expect, it } from 'vitest'
import { agentClient, failureIn, REVISIONS, type Revision } from './agent_client.ts'
import { type BareAgent, openBareAgent, type Working } from './bare_agent.ts'

const opened: { close: () => unknown }[] = []
afterEach(async () => {
  for (const one of opened.splice(0).reverse()) await one.close()
})

const open = async (choices?: Parameters<typeof openBareAgent>[0]): Promise<BareAgent> => {
  const agent = await openBareAgent(choices)
  opened.push(agent)
  return agent
}
const clientOf = async (agent: BareAgent, revision: Revision): Promise<Client> => {
  const client = await agentClient(agent, 'a-token', revision)
  opened.push(client)
  return client
}
const work = (client: Client, options?: RequestOptions): Promise<CallToolResult> =>
  client.callTool({ name: 'work', arguments: {} }, options)
const begun = async ({ working }: BareAgent, count = 1): Promise<Working> => {
  await expect.poll(() => working.length).toBe(count)
  const last = working.at(-1)
  if (last === undefined) throw new Error('nothing works')
  return last
}
const outcomes = ({ logged }: BareAgent) =>
  logged.filter(({ msg }) => msg === 'tool.called').map(({ outcome, codes }) => `${outcome} ${codes}`)
const codesOf = (result: CallToolResult) =>
  Object(failureIn(result)).errors.map(({ code }: { code: string }) => code)

describe.each(REVISIONS)('in %s', (revision) => {
  it('a call tells how far it is, in numbers that only grow and at a pace that clients can follow', async () => {
    const agent = await open()
    const client = await clientOf(agent, revision)
    const told: Progress[] = []
    const called = work(client, { onprogress: (progress) => void told.push(progress) })
    const { call, finish } = await begun(agent)
    for (let progress = 1; progress <= 1_000; progress += 1)
      call.progress({ progress, total: 1_000, message: 'Working' })
    await expect.poll(() => told.length).toBeGreaterThan(0)
    expect(told[0]).toEqual({ progress: 1, total: 1_000, message: 'Working' })
    // Long after the pace allows the next one.
    await expect
      .poll(() => {
        call.progress({ progress: 1 })
        call.progress({ progress: 2_000 })
        return told.at(-1)?.progress
      })
      .toBe(2_000)
    finish()
    expect((await called).structuredContent).toEqual({ done: true })
    expect(told.length).toBeLessThan(20)
    expect(told.map(({ progress }) => progress)).toEqual(
      told.map(({ progress }) => progress).toSorted((a, b) => a - b),
    )
  })

  it('a call that its client gives up ends its work, and is no fault', async () => {
    const agent = await open()
    const client = await clientOf(agent, revision)
    const giveUp = new AbortController()
    const called = work(client, { signal: giveUp.signal })
    const { call, fail } = await begun(agent)
    giveUp.abort()
    await expect(called).rejects.toThrow()
    await expect.poll(() => call.signal.aborted).toBe(true)
    fail(call.signal.reason)
    await expect.poll(() => outcomes(agent)).toEqual(['refused cancelled'])
    expect(agent.logged.filter(({ msg }) => msg === 'request.fault')).toEqual([])
  })

  it('a call that takes too long is answered as cancelled, and a fault in what is left of it is logged', async () => {
    const agent = await open({ toolCallMs: 50 })
    const result = await work(await clientOf(agent, revision))
    expect(result.isError).toBe(true)
    expect(codesOf(result)).toEqual(['cancelled'])
    const { call, fail } = await begun(agent)
    expect(call.signal.aborted).toBe(true)
    fail(new Error('late'))
    await expect.poll(() => agent.logged.map(({ msg }) => msg)).toContain('request.fault')
  })

  it('a server that stops tells the calls that it has no more time for', async () => {
    const agent = await open()
    const called = work(await clientOf(agent, revision))
    const { finish } = await begun(agent)
    agent.drain.close()
    agent.drain.giveUp()
    const result = await called
    expect([result.isError, codesOf(result)]).toEqual([true, ['shutting_down']])
    finish()
    await expect(clientOf(agent, revision)).rejects.toThrow(/shutting_down|503/)
  })
})

describe('a notice of a client from before 2026', () => {
  const headers = {
    Authorization: 'Bearer a-token',
    'Content-Type': 'application/json',
    Accept: 'application/json, text/event-stream',
  }
  const send = ({ base }: BareAgent, message: object) =>
    fetch(`${base}/mcp`, { method: 'POST', headers, body: JSON.stringify({ jsonrpc: '2.0', ...message }) })
  const call = (agent: BareAgent, id: unknown) =>
    send(agent, { id, method: 'tools/call', params: { name: 'work' } })
  const cancel = (agent: BareAgent, requestId: unknown) =>
    send(agent, { method: 'notifications/cancelled', params: { requestId } })

  it('that fits two calls with one token ends neither', async () => {
    const agent = await open()
    const answers = [await call(agent, 7), await call(agent, 7)]
    await begun(agent, 2)
    expect((await cancel(agent, 7)).status).toBe(202)
    for (const { finish } of agent.working) finish()
    for (const answer of answers) expect(await answer.text()).toContain('"structuredContent":{"done":true}')
  })

  it('that fits none, or was too late, does nothing', async () => {
    const agent = await open()
    const answer = await call(agent, 7)
    const { call: running, finish } = await begun(agent)
    for (const other of [8, '7', null, {}, undefined])
      expect((await cancel(agent, other)).status).toBeLessThan(500)
    expect(running.signal.aborted).toBe(false)
    finish()
    expect(await answer.text()).toContain('"done":true')
    expect((await cancel(agent, 7)).status).toBe(202)
    expect(outcomes(agent)).toEqual(['done '])
  })
})

it('a stream begins before its result is there, and a connection that is cut ends the call', async () => {
  const agent = await open()
  const cut = new AbortController()
  const answer = await fetch(`${agent.base}/mcp`, {
    method: 'POST',
    headers: { Authorization: 'Bearer a', 'Content-Type': 'application/json', Accept: '*/*' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'work' } }),
    signal: cut.signal,
  })
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/event-stream'])
  const { call } = await begun(agent)
  cut.abort()
  await expect.poll(() => call.signal.aborted).toBe(true)
})
