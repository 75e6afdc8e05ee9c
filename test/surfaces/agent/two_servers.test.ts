// A conversation belongs to no server, and what a tool asks of others is told and ended as its client wants.
import { createServer, type ServerResponse } from 'node:http'
import type { Client, Progress } from '@modelcontextprotocol/client'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { lookupAddresses } from '../../../shared/proof/lookups/lookup.ts'
import { bundleNamed } from '../../domain/proofs/vector_bundles.ts'
import { openTestApp, type TestApp } from '../../support/app.ts'
import { agentClient, agentToken, REVISIONS, type Revision } from './agent_client.ts'

/** Questions to a public service that has not answered yet. */
const waiting = new Set<ServerResponse>()
const service = createServer((_, response) => {
  waiting.add(response)
  response.on('close', () => waiting.delete(response))
})

let app: TestApp
let beside: TestApp
let token: string
const opened: Client[] = []
beforeAll(async () => {
  await new Promise<void>((resolve) => void service.listen(0, '127.0.0.1', resolve))
  const bound = service.address()
  const port = typeof bound === 'object' && bound !== null ? bound.port : 0
  const lookups = lookupAddresses(() => `http://127.0.0.1:${port}`)
  app = await openTestApp({ lookups })
  beside = await openTestApp({ beside: app, lookups })
  token = await agentToken(app)
})
afterEach(async () => {
  for (const client of opened.splice(0)) await client.close()
})
afterAll(async () => {
  await beside?.close()
  await app?.close()
  service.closeAllConnections()
  service.close()
})

const clientOf = async (revision: Revision, send?: typeof fetch): Promise<Client> => {
  const client = await agentClient(app, token, revision, send === undefined ? {} : { send })
  opened.push(client)
  return client
}
const VERIFY = { name: 'verify_proof', arguments: { proof: bundleNamed('entropy_nist').published } }

it.each(REVISIONS)('any server answers the next message of a conversation: %s', async (revision) => {
  const ports: string[] = []
  const client = await clientOf(revision, (address, init) => {
    const url = new URL(String(address))
    url.port = String(ports.length % 2 === 0 ? beside.port : app.port)
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
    expect(read.structuredContent).toMatchObject({ id, display_name: 'a' })
  }
  expect(tools.length).toBeGreaterThan(20)
  expect(new Set(ports).size).toBe(2)
})

it('a verification tells which questions are answered', async () => {
  const client = await clientOf('2026-07-28')
  const told: Progress[] = []
  const called = client.callTool(VERIFY, { onprogress: (progress) => void told.push(progress) })
  await expect.poll(() => waiting.size).toBeGreaterThan(0)
  let over = false
  const end = (): void => {
    over = true
  }
  called.then(end, end)
  while (!over) {
    const [first] = waiting
    first?.writeHead(404).end('{}')
    await new Promise((resolve) => setImmediate(resolve))
  }
  expect((await called).structuredContent).toMatchObject({ skipped_external: false })
  expect(told[0]).toMatchObject({ progress: 1, message: 'Asking public services' })
})

it('a verification that its client gives up asks nobody any more', async () => {
  const client = await clientOf('2025-11-25')
  const giveUp = new AbortController()
  const called = client.callTool(VERIFY, { signal: giveUp.signal })
  await expect.poll(() => waiting.size).toBeGreaterThan(0)
  giveUp.abort()
  await expect(called).rejects.toThrow()
  await expect.poll(() => waiting.size).toBe(0)
})
