// What the list of tools costs a model before its first question, and what it tells: over real HTTP, byte for byte.
import { beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { ask } from '../../support/http.ts'
import { testApp } from '../../support/test_app.ts'
import { agentToken } from './agent_client.ts'

/** The first thirty may have this many bytes together. */
const FIRST = { tools: 30, bytes: 40_000 }
/** What each that comes later may add. */
const LATER_BYTES = 1_200
/** Those of the first that take more. A later one does not belong here. */
const LARGER = [
  ...['list_items', 'get_item', 'create_item', 'update_item', 'list_beacons'],
  ...[
    'list_webhook_endpoints',
    'create_webhook_endpoint',
    'update_webhook_endpoint',
    'delete_webhook_endpoint',
  ],
  ...['list_webhook_deliveries', 'get_webhook_delivery'],
  ...['generate_proof', 'verify_proof', 'run_script'],
]

const schema = z.looseObject({ properties: z.record(z.string(), z.looseObject({})) })
const tool = z.looseObject({ name: z.string(), inputSchema: schema, outputSchema: schema })

const app = testApp()
let sent = ''
let tools: readonly z.infer<typeof tool>[] = []
beforeAll(async () => {
  const answer = await ask(app.port, '/mcp', {
    key: await agentToken(app),
    headers: { 'Content-Type': 'application/json', Accept: '*/*', 'MCP-Protocol-Version': '2025-11-25' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
  })
  sent = /^data: (.*)$/m.exec(answer.text)?.[1] ?? answer.text
  tools = z.object({ result: z.object({ tools: z.array(tool) }) }).parse(JSON.parse(sent)).result.tools
})

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value))

it('takes at most 40 kB of a model, and a later tool 1.2 kB of its own', () => {
  const text = JSON.stringify(Object(JSON.parse(sent)).result.tools)
  expect(sent.includes(text)).toBe(true)
  const later = Math.max(0, tools.length - FIRST.tools)
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(FIRST.bytes + later * LATER_BYTES)
  const large = tools.filter((one) => bytesOf(one) > LATER_BYTES).map(({ name }) => name)
  expect(large.filter((name) => !LARGER.includes(name))).toEqual([])
})

it('tells results one level deep, without words and conditions, and arguments without conditions', () => {
  for (const { name, inputSchema, outputSchema } of tools) {
    for (const member of Object.values(outputSchema.properties))
      expect([name, Object.keys(member).filter((keyword) => keyword !== 'type')]).toEqual([name, []])
    expect([name, /"(if|then|else|pattern|x-max-bytes)":/.exec(JSON.stringify(inputSchema))]).toEqual([
      name,
      null,
    ])
  }
})

it('names tools by the names of tools', () => {
  const elsewhere = tools.map(({ name }) => name.replaceAll('_', '-')).filter((name) => name.includes('-'))
  expect(elsewhere.filter((name) => sent.includes(`${name}\``) || sent.includes(`${name} `))).toEqual([])
})

it('says of every argument what it is', () => {
  const silent = tools.flatMap(({ name, inputSchema }) =>
    Object.entries(inputSchema.properties).flatMap(([argument, { description }]) =>
      typeof description === 'string' && description !== '' ? [] : [`${name}.${argument}`],
    ),
  )
  expect(silent).toEqual([])
})

it('names every field that a list filters by, with its operators, in words', () => {
  const filter = tools.find(({ name }) => name === 'list_items')?.inputSchema.properties.filter
  for (const word of ['item_hash', 'state (created, committed, redacted)', 'tags: has, is_nil', '`block`'])
    expect(filter?.description).toContain(word)
})
