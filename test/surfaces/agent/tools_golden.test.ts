// The tools that agents are offered, as a committed file: what the list tells of each, in their order.
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, it } from 'vitest'
import { catalog } from '../../../server/catalog/catalog.ts'
import { catalogTools } from '../../../server/surfaces/agent/catalog_tools.ts'
import { toldTool, toldType } from '../../../server/surfaces/agent/mcp_server.ts'
import { runScriptTool } from '../../../server/surfaces/agent/scripts/run_script.ts'
import { expectGolden } from '../http/golden.ts'

const root = resolve(import.meta.dirname, '..', '..', '..')

const ofCatalog = catalogTools(catalog)
const nothing = Object.create(null)
const tools = [...ofCatalog, runScriptTool({ tools: ofCatalog, scripts: nothing, callTool: nothing })]

it('offers exactly the tools that agents know', () => {
  expect(tools.map(({ name }) => name).toSorted()).toEqual(
    [
      ...['list_beacons', 'get_latest_beacon', 'get_beacon', 'get_beacon_by_hash'],
      ...['list_webhook_endpoints', 'get_webhook_endpoint', 'create_webhook_endpoint'],
      ...['update_webhook_endpoint', 'delete_webhook_endpoint'],
      ...['list_webhook_deliveries', 'get_webhook_delivery'],
      ...['hash', 'verify_hash', 'uuidv7_timestamp', 'ulid_timestamp', 'resolve_id'],
      ...['jcs_canonicalize', 'server_time', 'generate_proof', 'verify_proof'],
      'export_opentimestamps',
      ...['kb_search', 'kb_fetch', 'kb_links'],
      ...['list_items', 'get_item', 'create_item', 'update_item', 'current_user', 'run_script'],
    ].toSorted(),
  )
})

it('are all told in the article about agents', () => {
  const page = 'server/domain/knowledge/articles/agents.md'
  const text = readFileSync(join(root, page), 'utf8')
  const untold = tools.map(({ name }) => name).filter((name) => !text.includes(`\`${name}\``))
  expect(untold.map((name) => `${page} does not tell ${name}`)).toEqual([])
})

it('are as the golden file says', () => {
  const told = tools.map((tool) => ({ ...toldTool(tool), access: tool.access }))
  expectGolden('tools.json', `${JSON.stringify(told, null, 2)}\n`)
})

it('tell no type where one choice has none', () => {
  const [text, anything] = [{ type: 'string' }, { minimum: 1 }]
  expect(toldType({ anyOf: [text, { type: ['object', 'string'] }] })).toEqual({ type: ['string', 'object'] })
  expect(toldType({ anyOf: [text, anything] })).toEqual({})
})
