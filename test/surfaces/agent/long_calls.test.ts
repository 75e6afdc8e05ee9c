// Calls that take long: their progress, their end when nobody waits any more, and a conversation that two servers share.
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { Client, Progress } from '@modelcontextprotocol/client'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { lookupAddresses } from '../../../shared/proof/lookups/lookup_places.ts'
import { bundleNamed } from '../../domain/proofs/vector_bundles.ts'
import { openTestApp, type TestApp } from '../../support/app.ts'
import { agentClient, agentToken, REVISIONS, type Revision } from './agent_client.ts'

/** A public service that answers when the test says so. */
interface Slow {
  readonly address: string
  readonly waiting: Set<ServerResponse>
  readonly answerOne: () => void
  readonly server: Server
}

async function openSlow(): Promise<Slow> {
  const waiting = new Set<ServerResponse>()
  const server = createServer((_, response) => {
    waiting.add(response)
    response.on('close', () => waiting.delete(response))
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const bound = server.address()
  const port = typeof bound === 'object' && bound !== null ? bound.port : 0
  const answerOne = (): void => {
    const [first] = waiting
    first?.writeHead(404).end('{}')
  }
  return { address: `http://127.0.0.1:${port}`, waiting, answerOne, server }
}

const VERIFY = { name: 'verify_proof', arguments: { proof: bundleNamed('entropy_nist').published } }

let slow: Slow
let app: TestApp
let beside: TestApp
let hurried: TestApp
let token: string
const opened: Client[] = []
beforeAll(async () => {
  slow = await openSlow()
  const lookups = lookupAddresses(() => slow.address)
  app = await openTestApp({ lookups })
  beside = await openTestApp({ beside: app, lookups })
  hurried = await openTestApp({ beside: app, lookups, ceilings: { tool_call_ms: 100 } })
  token = await agentToken(app)
})
afterEach(async () => {
  for (const client of opened.splice(0)) await client.close()
  while (slow.waiting.size > 0) {
    slow.server.closeAllConnections()
    await expect.poll(() => slow.waiting.size).toBe(0)
  }
})
afterAll(async () => {
  await hurried?.close()
  await beside?.close()
  await app?.close()
  slow?.server.close()
})

const clientOf = async (revision: Revision, send?: typeof fetch): Promise<Client> => {
  const client = await agentClient(app, token, revision, send === undefined ? {} : { send })
  opened.push(client)
  return client
}
/** Answers every question until the calls have ended. */
async function answering<T>(calls: Promise<T>): Promise<T> {
  let over = false
  const end = (): void => {
    over = true
  }
  calls.then(end, end)
  while (!over) {
    slow.answerOne()
    await new Promise((resolve) => setImmediate(resolve))
  }
  return calls
}

const outcomes = ({ logged }: TestApp) =>
  logged.filter(({ msg }) => msg === 'tool.called').map(({ codes }) => String(codes))

describe.each(REVISIONS)('in %s', (revision) => {
  it('a call that asks others tells how far it is, in numbers that only grow', async () => {
    const client = await clientOf(revision)
    const told: Progress[] = []
    const called = client.callTool(VERIFY, { onprogress: (progress) => void told.push(progress) })
    await expect.poll(() => slow.waiting.size).toBeGreaterThan(0)
    slow.answerOne()
    await expect.poll(() => told.length).toBeGreaterThan(0)
    expect(told[0]).toMatchObject({ progress: 1, message: 'Asking public services' })
    const { structuredContent, isError } = await answering(called)
    expect(isError ?? false).toBe(false)
    expect(structuredContent).toMatchObject({ skipped_external: false })
    const numbers = told.map(({ progress }) => progress)
    expect(numbers).toEqual(numbers.toSorted((a, b) => a - b))
  })

  it('a call that its client gives up ends its work', async () => {
    const client = await clientOf(revision)
    const giveUp = new AbortController()
    const called = client.callTool(VERIFY, { signal: giveUp.signal })
    await expect.poll(() => slow.waiting.size).toBeGreaterThan(0)
    const before = outcomes(app).length
    giveUp.abort()
    await expect(called).rejects.toThrow()
    await expect.poll(() => slow.waiting.size).toBe(0)
    await expect.poll(() => outcomes(app).slice(before)).toEqual(['cancelled'])
  })

  it('servers share a conversation: any of them answers the next message', async () => {
    let sent = 0
    const ports: string[] = []
    const client = await clientOf(revision, (address, init) => {
      sent += 1
      const url = new URL(String(address))
      url.port = String(sent % 2 === 0 ? app.port : beside.port)
      ports.push(url.port)
      return fetch(url, init)
    })
    const { tools } = await client.listTools()
    const made = await client.callTool({
      name: 'create_item',
      arguments: { claims: { name: 'a', hash: 'ab'.repeat(32), hash_type: 'sha256' } },
    })
    const { id } = Object(made.structuredContent)
    for (const _ of [1, 2]) {
      const read = await client.callTool({ name: 'get_item', arguments: { id } })
      expect(read.structuredContent).toMatchObject({ id })
    }
    expect(tools.length).toBeGreaterThan(20)
    expect(new Set(ports).size).toBe(2)
  })

  it('a call that takes too long is answered as cancelled', async () => {
    const client = await agentClient(hurried, token, revision)
    opened.push(client)
    const { isError, structuredContent } = await client.callTool(VERIFY)
    expect(isError).toBe(true)
    expect(structuredContent).toMatchObject({ errors: [{ code: 'cancelled' }] })
    await expect.poll(() => slow.waiting.size).toBe(0)
  })
})

it('two calls with one token and one number are told apart: a notice that fits both ends neither', async () => {
  const call = () =>
    fetch(`${app.base}/mcp`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${token}`,
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'tools/call', params: VERIFY }),
    })
  const answers = [await call(), await call()]
  await expect.poll(() => slow.waiting.size).toBeGreaterThan(1)
  const notice = await fetch(`${app.base}/mcp`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json', Accept: '*/*' },
    body: JSON.stringify({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 7 } }),
  })
  expect(notice.status).toBe(202)
  for (const text of await answering(Promise.all(answers.map((answer) => answer.text()))))
    expect(text).toContain('"skipped_external":false')
})

it('a server that stops lets a call finish', async () => {
  const leaving = await openTestApp({ beside: app, lookups: lookupAddresses(() => slow.address) })
  const client = await agentClient(leaving, token, '2026-07-28')
  const called = client.callTool(VERIFY)
  await expect.poll(() => slow.waiting.size).toBeGreaterThan(0)
  const stopped = leaving.stop()
  expect((await answering(called)).structuredContent).toMatchObject({ skipped_external: false })
  await client.close()
  await stopped
  await leaving.close()
})
