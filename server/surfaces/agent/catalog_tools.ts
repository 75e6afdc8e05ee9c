// The tools that follow from the catalog, in its order.
import type { Catalog } from '../../catalog/catalog.ts'
import type { NamedTool } from '../../contract/operation.ts'
import { perform } from './perform.ts'
import type { Tool, ToolAnnotations } from './tool.ts'
import { inputSchema, type OfTool, outputSchema } from './tool_schemas.ts'

/** @param wait how long a proof takes, in words */
export function catalogTools({ resources, actions, related }: Catalog, wait = ''): readonly Tool[] {
  const all: OfTool[] = [
    ...resources.flatMap((resource) => resource.operations.map((operation) => ({ resource, operation }))),
    ...actions.map((operation) => ({ resource: undefined, operation })),
  ]
  return all.flatMap((of) => {
    const { tool, doc, access } = of.operation
    if (tool === undefined) return []
    return Object.freeze({
      name: tool.name,
      title: tool.title,
      description: `${tool.doc ?? doc}${tool.tellsWait === true ? ` ${wait}` : ''}`.trim(),
      access: access === 'read' ? 'read' : 'write',
      inputSchema: inputSchema(of),
      outputSchema: outputSchema(of, related),
      annotations: annotationsOf(of, tool),
      run: (call) => perform(of, call),
    } satisfies Tool)
  })
}

/** Creating adds only. Changing and removing replace what is there, and a second time there is nothing left to do. */
function annotationsOf({ operation }: OfTool, { title, openWorld }: NamedTool): ToolAnnotations {
  const isRead = operation.access === 'read'
  const replaces = operation.kind === 'update' || operation.kind === 'delete'
  return {
    title,
    readOnlyHint: isRead,
    destructiveHint: !isRead && replaces,
    idempotentHint: isRead || replaces,
    openWorldHint: openWorld === true,
  }
}
