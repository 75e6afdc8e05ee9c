// Agents as they come, each line of the official client and the Inspector: they are given the address and nothing else.
import { execFile } from 'node:child_process'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openBrowserJar } from '../support/browser_jar.ts'
import { givePassword, signInAndConsent } from '../support/oauth.ts'
import { testApp } from '../support/test_app.ts'
import { agentToken, failureIn } from '../surfaces/agent/agent_client.ts'
import { type Agent, type AgentMemory, agentMemory, LINES } from '../surfaces/agent/agent_lines.ts'

const app = testApp()
let email: string
const opened: Agent[] = []
beforeAll(async () => {
  email = await givePassword(app, app.owner)
})
afterAll(async () => {
  for (const agent of opened) await agent.close()
})

const REDIRECT = 'http://127.0.0.1:49152/callback'
const ITEM = { claims: { name: 'From an agent', metadata: { by: 'a test' } } }

const codesOf = (result: Parameters<typeof failureIn>[0]): unknown =>
  Object(failureIn(result)).errors.map(({ code }: { code: string }) => code)

describe.each(Object.entries(LINES))('the client of the line %s', (line, open) => {
  const browser = openBrowserJar()
  const connect = (memory = agentMemory(REDIRECT)) => {
    const agent = open(app.base, memory)
    opened.push(agent)
    return { agent, memory }
  }
  const allow = ({ sentTo }: AgentMemory, without: readonly string[] = []) =>
    signInAndConsent(browser, sentTo(), { email, without })
  /** Signed in, and connected. */
  const enter = async (without?: readonly string[], memory?: AgentMemory) => {
    const first = connect(memory)
    await expect(first.agent.connected).rejects.toThrow()
    expect(first.memory.sentTo().searchParams.get('scope')).toBe('mcp:read mcp:write')
    await first.agent.finish(await allow(first.memory, without))
    const second = connect(first.memory)
    await second.agent.connected
    return second
  }

  it('signs in, reads, is told the code of what every tool refuses, and writes', async () => {
    const { agent } = await enter()
    const names = await agent.toolNames()
    expect((await agent.call('get_latest_beacon')).structuredContent).toMatchObject({
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
    })
    for (const name of names)
      expect([name, codesOf(await agent.call(name, { nonsense: true }))]).toEqual([
        name,
        expect.arrayContaining(['invalid_body']),
      ])
    expect(codesOf(await agent.call('get_item', { id: 'x' }))).toEqual(['not_found'])
    expect((await agent.call('create_item', ITEM)).structuredContent).toMatchObject({ state: 'created' })
  })

  it('reads where the person unticked writing, and writes once the person has allowed that, too', async () => {
    const { agent, memory } = await enter(['mcp:write'])
    expect(memory.tokens()).toMatchObject({ scope: 'mcp:read' })
    expect((await agent.call('list_items')).structuredContent).toMatchObject({ next: null })
    await expect(agent.call('create_item', ITEM)).rejects.toThrow()
    // This line refreshes the tokens that it has instead of asking for more, so they have to go.
    if (line === '1.x') memory.dropTokens()
    else await agent.finish(await allow(memory))
    const writer = line === '1.x' ? (await enter([], memory)).agent : agent
    expect((await writer.call('create_item', ITEM)).structuredContent).toMatchObject({ state: 'created' })
  })
})

describe('the command line of the Inspector', () => {
  const inspector = join(
    dirname(fileURLToPath(import.meta.resolve('@modelcontextprotocol/inspector-cli'))),
    'index.js',
  )
  /** It looks for its own version beside the folder that it is started in. */
  const cwd = dirname(inspector)
  const inspect = async (...parts: readonly string[]): Promise<unknown> => {
    const header = `Authorization: Bearer ${await agentToken(app)}`
    const args = [inspector, `${app.base}/mcp`, '--header', header, '--method', ...parts]
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd, timeout: 60_000 })
    return JSON.parse(stdout)
  }

  it('lists, reads, writes, and shows why a call failed', async () => {
    const call = (name: string, ...args: readonly string[]) =>
      inspect('tools/call', '--tool-name', name, ...args.flatMap((one) => ['--tool-arg', one]))
    expect(await inspect('tools/list')).toMatchObject({
      tools: expect.arrayContaining([expect.objectContaining({ name: 'get_item' })]),
    })
    expect(await call('get_latest_beacon')).toMatchObject({
      structuredContent: { hash: expect.stringMatching(/^[0-9a-f]{64}$/) },
    })
    expect(await call('create_item', `claims=${JSON.stringify(ITEM.claims)}`)).toMatchObject({
      structuredContent: { state: 'created' },
    })
    expect(codesOf(Object(await call('get_item', 'id=x')))).toEqual(['not_found'])
  })
})
