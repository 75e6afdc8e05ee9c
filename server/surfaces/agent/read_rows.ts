// One page of a list as a tool returns it: as many rows as fit into the answer, and the cursor of the next page.
import { bareRow } from '../../catalog/bare_row.ts'
import type { PublishedResource } from '../../catalog/catalog.ts'
import { readPage } from '../../contract/page.ts'
import { responseTooLarge, roomOf } from '../../contract/row_columns.ts'
import { JsonParts, listParts } from '../../kernel/json_parts.ts'
import { objectText } from '../../kernel/json_text.ts'
import { roomFor, sizeOf } from './answer_size.ts'
import type { Performance } from './performance.ts'
import { readList } from './read_list.ts'

/** @throws response_too_large when the first row does not fit */
export async function readRows(
  { call, context, own, problems }: Performance,
  resource: PublishedResource,
): Promise<JsonParts> {
  const { house, args } = call
  const { em, expensively, breathe } = context
  const { ceilings } = context.services
  const request = readList(args, { resource, context, related: house.related }, problems)
  const room = { ...roomOf(ceilings), bytes: roomFor(ceilings) / 2 }
  const shows = (field: string) => resource.fields[field]?.onRequest !== true || own.also.has(field)
  const page = await readPage(
    {
      em,
      expensively,
      listing: context.services.listing,
      cursors: house.cursors,
      shows,
      room,
      ceilings,
      breathe,
    },
    resource,
    context,
    request,
  )
  await resource.prepare(page.rows, context)
  const texts: string[] = []
  let left = roomFor(ceilings)
  for (const row of page.rows) {
    const text = objectText(bareRow(resource, context, row, own.also))
    left -= sizeOf(text) + 2
    if (left < 0) break
    texts.push(text)
    const breath = breathe()
    if (breath !== undefined) await breath
  }
  if (texts.length === 0 && page.rows.length > 0) throw responseTooLarge(ceilings)
  const { next } = texts.length < page.rows.length ? page.cutTo(texts.length) : page
  return new JsonParts(['{"data":', ...listParts(texts), `,"next":${JSON.stringify(next)}}`])
}
