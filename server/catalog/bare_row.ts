// A row without an envelope, as actions and agent tools return it: its id and its fields.
import type { PublishedResource } from './catalog.ts'
import type { Context } from './context.ts'

export type BareRow = Readonly<Record<string, unknown>>

/** The default fields, and those of `also` that are shown on request only. `prepare` must have run for the row. */
export function bareRow(
  resource: PublishedResource,
  context: Context,
  row: object,
  also: ReadonlySet<string> = new Set(),
): BareRow {
  const shown = Object.entries(resource.show(row, context)).filter(
    ([name]) => resource.fields[name]?.onRequest !== true || also.has(name),
  )
  return { id: resource.idOf(row), ...Object.fromEntries(shown) }
}

/** @param row what a verb returned */
export async function prepareBareRow(
  resource: PublishedResource,
  context: Context,
  row: unknown,
  also?: ReadonlySet<string>,
): Promise<BareRow> {
  if (typeof row !== 'object' || row === null) throw new Error(`${resource.type}: no row was answered.`)
  await resource.prepare([row], context)
  return bareRow(resource, context, row, also)
}
