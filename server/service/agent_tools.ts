// The tools of the agent server: those of the catalog, and the one that runs programs which call them.
import type { EntityManager } from '@mikro-orm/postgresql'
import type { Catalog } from '../catalog/catalog.ts'
import type { Limits } from '../domain/limits/limits.ts'
import { toolCaller } from '../surfaces/agent/call_tool.ts'
import { catalogTools } from '../surfaces/agent/catalog_tools.ts'
import { declarationsResource } from '../surfaces/agent/scripts/declarations.ts'
import { runScriptTool } from '../surfaces/agent/scripts/run_script.ts'
import { openScripts } from '../surfaces/agent/scripts/scripts.ts'
import type { ToolHouse } from '../surfaces/agent/tool.ts'

export function openAgentTools({
  house,
  catalog,
  em,
  limits,
  wait,
}: {
  readonly house: ToolHouse
  readonly catalog: Catalog
  readonly em: () => EntityManager
  readonly limits: Limits
  /** How long a proof takes, in words. */
  readonly wait: string
}) {
  const called = catalogTools(catalog, wait)
  const scripts = openScripts({ em, limits, ceilings: house.services.ceilings })
  const runScript = runScriptTool({ em, scripts, tools: called, callTool: toolCaller(house, called) })
  const tools = [...called, runScript]
  return Object.freeze({
    tools,
    callTool: toolCaller(house, tools),
    texts: [declarationsResource(called)],
    scripts,
  })
}
