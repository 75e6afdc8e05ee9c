// The official agent client as it comes, given the address of `/mcp` and nothing else. A person signs it in with a real
// browser and allows what it asks. Two servers take every request in turn, and one of them is replaced meanwhile.
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Client, StreamableHTTPClientTransport, UnauthorizedError } from '@modelcontextprotocol/client'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type AlternatingProxy, openAlternatingProxy } from '../support/alternating_proxy.ts'
import { openTestApp, type TestApp } from '../support/app.ts'
import { givePassword, TEST_PASSWORD } from '../support/oauth.ts'
import { workerBrowser } from '../support/worker_browser.ts'
import { agentMemory } from '../surfaces/agent/agent_lines.ts'

let proxy: AlternatingProxy
let app: TestApp
let other: TestApp
let page: Page
let email: string
/** The program on the person's computer that the client listens with. */
let listener: Server
const closing: (() => Promise<unknown> | unknown)[] = []
const browser = workerBrowser()

beforeAll(async () => {
  proxy = await openAlternatingProxy()
  closing.push(proxy.close)
  app = await openTestApp({ baseUrl: proxy.base })
  closing.push(app.close)
  other = await openTestApp({ beside: app, baseUrl: proxy.base })
  closing.push(() => other.close())
  proxy.serve([app.port, other.port])
  email = await givePassword(app, app.owner)
  listener = createServer((_request, response) => void response.end('You can close this page.'))
  listener.listen(0, '127.0.0.1')
  await once(listener, 'listening')
  closing.push(
    () => listener.closeAllConnections(),
    () => listener.close(),
  )
})

afterAll(async () => {
  for (const close of closing.toReversed()) await close()
})

/**
 * The person follows the link, signs in when asked, reads the question, unticks what it does not want and allows the
 * rest. Returns what the client is told.
 */
async function allow(
  url: URL,
  without: readonly string[] = [],
): Promise<{ readonly isSignIn: boolean; readonly asked: string; readonly parameters: URLSearchParams }> {
  await page.goto(url.href)
  const isSignIn = (await page.title()).startsWith('Sign in')
  if (isSignIn) {
    await page.getByLabel('E-mail address').fill(email)
    await page.getByLabel('Password').fill(TEST_PASSWORD)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('heading', { name: 'Allow access?' }).waitFor()
  }
  const asked = await page.locator('main').innerText()
  for (const scope of without) await page.getByLabel(scope).uncheck()
  await page.getByRole('button', { name: 'Allow', exact: true }).click()
  await page.waitForURL(/^http:\/\/127\.0\.0\.1:\d+\/callback/)
  return { isSignIn, asked, parameters: new URL(page.url()).searchParams }
}

it('signs in to read alone, calls tools, steps up to write without signing in again after a restart, and runs a script', async () => {
  page = await browser().newPage()
  const redirect = `http://127.0.0.1:${(listener.address() as AddressInfo).port}/callback`
  const provider = agentMemory(redirect)
  const connect = async () => {
    const client = new Client({ name: 'a foreign agent', version: '1' })
    const transport = new StreamableHTTPClientTransport(new URL(`${app.base}/mcp`), {
      authProvider: provider,
    })
    return { client, transport, connected: client.connect(transport) }
  }

  const first = await connect()
  await expect(first.connected).rejects.toThrow(UnauthorizedError)
  const signedIn = await allow(provider.sentTo(), ['mcp:write'])
  expect(signedIn.isSignIn).toBe(true)
  expect(signedIn.asked).toContain('A foreign agent')
  expect(signedIn.asked).toContain(new URL(redirect).host)
  for (const scope of ['mcp:read', 'mcp:write']) expect(signedIn.asked).toContain(scope)
  await first.transport.finishAuth(signedIn.parameters)

  const { client, transport, connected } = await connect()
  await connected
  closing.push(() => client.close())
  const { tools } = await client.listTools()
  expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(['get_latest_beacon', 'run_script']))
  const latest = await client.callTool({ name: 'get_latest_beacon', arguments: {} })
  const beacon = latest.structuredContent as { id: string; hash: string }
  expect(beacon.hash).toMatch(/^[0-9a-f]{64}$/)

  await other.close()
  other = await openTestApp({ beside: app, baseUrl: proxy.base })
  proxy.serve([app.port, other.port])
  const item = {
    name: 'create_item',
    arguments: { claims: { name: 'From an agent', metadata: { by: 'a test' } } },
  }
  await expect(client.callTool(item)).rejects.toThrow(UnauthorizedError)
  const steppedUp = await allow(provider.sentTo())
  expect(steppedUp.isSignIn).toBe(false)
  expect(steppedUp.asked).toContain('mcp:write')
  await transport.finishAuth(steppedUp.parameters)
  const made = (await client.callTool(item)).structuredContent as { id: string; state: string }
  expect(made).toMatchObject({ state: 'created' })

  const script = `
    const { id } = await tools.create_item({ claims: { name: 'From a script', metadata: { by: 'a test' } } })
    const [item, beacon] = await Promise.all([tools.get_item({ id }), tools.get_latest_beacon({})])
    return { name: item.display_name, beacon: beacon.id }`
  const ran = await client.callTool({ name: 'run_script', arguments: { program: script } })
  expect(ran.isError ?? false).toBe(false)
  expect(JSON.stringify(ran.structuredContent)).toContain('From a script')
  expect(JSON.stringify(ran.structuredContent)).toContain(beacon.id)
})
