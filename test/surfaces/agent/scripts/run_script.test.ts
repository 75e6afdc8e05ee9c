// run_script at /mcp, by the official client: what a program does is what its caller may do, charged and logged so.
import type { Client } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { accessToken, revokeGrant } from '../../../support/access_token.ts'
import { AMPLE, type LogLine, openTestApp } from '../../../support/app.ts'
import { eventually } from '../../../support/http.ts'
import { testApp } from '../../../support/test_app.ts'
import { agentClient, agentToken, failureIn } from '../agent_client.ts'

const app = testApp()
let client: Client
beforeAll(async () => {
  client = await agentClient(app, await agentToken(app), '2025-11-25')
})
afterAll(async () => {
  await client.close()
})

interface Answer {
  readonly isError: boolean
  readonly structured: Record<string, unknown>
}

type RequestOptions = Parameters<Client['callTool']>[1]

async function runScript(program: unknown, by: Client = client, options?: RequestOptions): Promise<Answer> {
  const answer = await by.callTool({ name: 'run_script', arguments: { program } }, options)
  const isError = answer.isError === true
  return { isError, structured: isError ? failureIn(answer) : Object(answer.structuredContent) }
}

/** What the program returned. */
async function resultOf(program: string, by?: Client): Promise<unknown> {
  const { isError, structured } = await runScript(program, by)
  if (isError) throw new Error(JSON.stringify(structured))
  return structured.result
}

/** The first error of a script that failed. */
async function errorOf(program: unknown, by?: Client, options?: RequestOptions) {
  const { isError, structured } = await runScript(program, by, options)
  const [error]: readonly { code: string; detail: string; meta: Record<string, unknown> }[] =
    isError && Array.isArray(structured.errors) ? structured.errors : []
  if (error === undefined) throw new Error(`no error: ${JSON.stringify(structured)}`)
  return error
}

describe('a script', () => {
  it('does in one step what takes many calls, and answers with what it printed and used', async () => {
    const { isError, structured } = await runScript(`
      const made = await Promise.all(['a', 'b', 'c'].map((name) => tools.create_item({ claims: { name, metadata: { of: 'a script' } } })))
      await tools.update_item({ id: made[0].id, tags: ['first'] })
      const { data } = await tools.list_items({ limit: 10 })
      console.log('made', made.length)
      return data.map(({ claims, tags }) => [claims.name, tags]).sort()`)
    expect({ isError, ...structured }).toEqual({
      isError: false,
      result: [
        ['a', ['first']],
        ['b', []],
        ['c', []],
      ],
      lines: ['made 3'],
      calls: 5,
      cpu_ms: expect.any(Number),
      wall_ms: expect.any(Number),
    })
    const items = await app.query<{ creator_id: string }>('SELECT creator_id FROM items')
    expect(items.map(({ creator_id }) => creator_id)).toEqual(Array(3).fill(app.owner.userId))
    const called = app.logged.filter(({ msg, tool }) => msg === 'tool.called' && tool === 'create_item')
    expect(called).toHaveLength(3)
    expect(called[0]).toMatchObject({ user_id: app.owner.userId, outcome: 'done' })
    expect(app.logged.find(({ msg }) => msg === 'script.ended')).toMatchObject({
      end: 'returned',
      calls: 5,
      credential: 'access_token',
    })
  })

  it('runs beside others of its caller, as many as an agent starts at once', async () => {
    const results = await Promise.all(Array.from({ length: 8 }, (_, i) => resultOf(`return ${i}`)))
    expect(results).toEqual([0, 1, 2, 3, 4, 5, 6, 7])
  })

  it('can call every tool but itself', async () => {
    const { tools } = await client.listTools()
    const names = tools.map(({ name }) => name)
    expect(names).toContain('run_script')
    expect(await resultOf('return Object.keys(tools)')).toEqual(names.filter((name) => name !== 'run_script'))
    const { contents } = await client.readResource({ uri: 'pharos://scripts/declarations' })
    const text = contents.map((one) => ('text' in one ? one.text : '')).join('')
    for (const name of names) expect(text.includes(`  ${name}(`)).toBe(name !== 'run_script')
    const { resources } = await client.listResources()
    expect(resources[0]).toMatchObject({
      uri: 'pharos://scripts/declarations',
      size: Buffer.byteLength(text),
    })
  })

  it('that fails says why, where, and with which call', async () => {
    expect(await errorOf('\nawait tools.get_item({ id: "nothing" })')).toMatchObject({
      code: 'script_failed',
      meta: {
        name: 'ToolError',
        line: 2,
        failed_call: { tool: 'get_item', failure: { errors: [{ code: 'not_found' }] } },
        calls: 1,
      },
    })
    expect(await errorOf('console.log(1)\n\nnope()')).toMatchObject({
      code: 'script_failed',
      detail: "ReferenceError: 'nope' is not defined; in line 3",
      meta: { line: 3, lines: ['1'] },
    })
    expect(await errorOf('return "\\ud800"')).toMatchObject({
      code: 'script_failed',
      detail: expect.stringContaining('unpaired_surrogate'),
    })
    expect(await errorOf('await new Promise(() => 0)')).toMatchObject({ code: 'script_failed' })
    expect(await errorOf('for (;;) console.log("x")')).toMatchObject({
      code: 'script_limit',
      meta: { limit: 'lines', maximum: 1_000 },
    })
  })

  it('is a text within its ceiling', async () => {
    expect(await errorOf(5)).toMatchObject({ code: 'invalid_argument', source: { pointer: '/program' } })
    expect(await errorOf(undefined)).toMatchObject({ code: 'required' })
    expect(await errorOf('é'.repeat(32_769))).toMatchObject({
      code: 'invalid_argument',
      meta: { maximum: 65_536 },
    })
  })

  it('is its only argument: another one is refused as every tool refuses it', async () => {
    const answer = await client.callTool({ name: 'run_script', arguments: { program: '', tenant: 'x' } })
    expect(failureIn(answer)).toMatchObject({
      errors: [{ code: 'invalid_body', source: { pointer: '/tenant' } }],
    })
  })
})

describe('the calls of a script', () => {
  it('that write need the scope, which the error names', async () => {
    const reader = await agentClient(app, await agentToken(app, app.owner, ['mcp:read']), '2026-07-28')
    const before = await app.query('SELECT id FROM items')
    expect(
      await resultOf(
        `try { await tools.create_item({ claims: { name: 'x' } }) } catch ({ code, errors }) {
          return [code, errors[0].meta, (await tools.current_user()).id]
        }`,
        reader,
      ),
    ).toEqual(['insufficient_scope', { scope: 'mcp:write' }, app.owner.userId])
    expect(await app.query('SELECT id FROM items')).toEqual(before)
    await reader.close()
  })

  it('are charged to the budgets of the API, one each, and those of proofs hold', async () => {
    const poor = await openTestApp({
      beside: app,
      limits: { ...AMPLE, LIMIT_CALLER_PER_MINUTE: 40, LIMIT_PROOF_VERIFY_PER_MINUTE: 2 },
    })
    const bob = await poor.account('bob')
    const agent = await agentClient(poor, await agentToken(poor, bob), '2026-07-28')
    const told = await resultOf(
      `const verified = []
      for (let i = 0; i < 3; i += 1)
        try { await tools.verify_proof({ proof: {} }); verified.push('done') } catch ({ code, errors }) { verified.push(code, errors[0].meta.limit) }
      let made = 3
      for (;;)
        try { await tools.server_time({}); made += 1 } catch ({ code, errors }) { return { verified, made, code, meta: errors[0].meta } }`,
      agent,
    )
    expect(told).toMatchObject({ code: 'rate_limited', meta: { limit: 40 } })
    expect(told).toMatchObject({ verified: expect.arrayContaining(['rate_limited', 2]) })
    // Initialization and the script itself are requests too. A slow machine gets some of the budget back meanwhile.
    const { made } = { made: 0, ...(told as object) }
    expect(made).toBeGreaterThanOrEqual(36)
    expect(made).toBeLessThan(60)
    await agent.close()
    await poor.stop()
    await poor.store.close()
  })

  it('end with the credential of their caller', async () => {
    const { token, grantId } = await accessToken(app, {
      userId: app.owner.userId,
      scopes: ['mcp:write'],
      resource: 'mcp',
    })
    const agent = await agentClient(app, token, '2025-11-25')
    const before = app.logged.length
    const failed = errorOf('for (;;) { await tools.current_user(); await sleep(100) }', agent)
    await logged(before, { msg: 'tool.called', tool: 'current_user' })
    await revokeGrant(app, grantId)
    expect(await failed).toMatchObject({ code: 'unauthorized' })
    expect(app.logged.findLast(({ msg }) => msg === 'script.ended')).toMatchObject({ end: 'aborted' })
    await agent.close()
  })

  it('are told as progress, and a client that cancels ends the script', async () => {
    const leaving = new AbortController()
    const told: string[] = []
    const left = runScript('for (;;) { await tools.server_time({}); await sleep(20) }', client, {
      signal: leaving.signal,
      onprogress: ({ message = '' }) => {
        told.push(message)
        leaving.abort()
      },
    })
    await expect(left).rejects.toThrow()
    expect(told[0]).toBe('server_time answered')
    await eventually(async () =>
      app.logged.findLast(({ msg }) => msg === 'script.ended')?.end === 'aborted' ? true : undefined,
    )
    expect(await resultOf('return "next"')).toBe('next')
  })
})

it('other requests are answered while a hostile script runs', async () => {
  const leaving = new AbortController()
  const before = app.logged.length
  const source = 'await tools.server_time({}); for (;;) [1, 2, 3].map(String).join()'
  const hostile = runScript(source, client, { signal: leaving.signal })
  hostile.catch(() => undefined)
  await logged(before, { msg: 'tool.called', tool: 'server_time' })
  for (let count = 0; count < 20; count += 1) {
    const { status } = await fetch(`${app.base}/api/json/items?page[limit]=1`, {
      headers: { authorization: `Bearer ${app.owner.key}` },
    })
    expect(status).toBe(200)
  }
  leaving.abort()
  await expect(hostile).rejects.toThrow()
  await logged(before, { msg: 'script.ended', end: 'aborted' })
})

/** Waits for such a line after so many others. */
const logged = (after: number, members: Readonly<Record<string, unknown>>): Promise<true> =>
  eventually(async () => {
    const isSuch = (line: LogLine) => Object.entries(members).every(([name, value]) => line[name] === value)
    return app.logged.slice(after).some(isSuch) ? true : undefined
  })
