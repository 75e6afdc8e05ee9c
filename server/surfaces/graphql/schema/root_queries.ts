// Adds the queries of resources: pages, single rows and bare reads.
import type { GraphQLResolveInfo, SelectionSetNode } from 'graphql'
import type { PublishedOperation, PublishedResource } from '../../../catalog/catalog.ts'
import { apart, type Context } from '../../../catalog/context.ts'
import type { Related } from '../../../contract/load_related.ts'
import { misread } from '../../../contract/operation.ts'
import { findRow, readPage } from '../../../contract/page.ts'
import { mayBeId } from '../../../contract/read_attributes.ts'
import { responseTooLarge } from '../../../contract/row_columns.ts'
import { mapInPieces } from '../../../kernel/flow/in_pieces.ts'
import type { CursorCodec } from '../../../kernel/keyset.ts'
import { problem, refuseAny } from '../../../kernel/refusal.ts'
import { addField, addRootField, lazy, objectType, type TypeClass } from './decorate.ts'
import type { ListInputs } from './list_inputs.ts'
import { camelCase, pascalCase } from './names.ts'
import type { ObjectTypes } from './object_types.ts'
import { readListArguments } from './read_list.ts'
import { SCALARS } from './scalars.ts'

interface QueryParts {
  readonly Root: TypeClass
  readonly types: ObjectTypes
  readonly inputs: ListInputs
  readonly related: Related<Context>
  readonly cursors: CursorCodec
}

type Of<Kind extends PublishedOperation['kind']> = Extract<PublishedOperation, { kind: Kind }>

export function addQueries(parts: QueryParts, resource: PublishedResource): void {
  for (const operation of resource.operations)
    switch (operation.kind) {
      case 'list':
        if (operation.newest === undefined) addPage(parts, resource, operation)
        else addNewest(parts, resource, operation, operation.newest)
        break
      case 'get':
        addGet(parts, resource, operation)
        break
      case 'read':
        addRead(parts, resource, operation)
        break
      default:
        break
    }
}

/** Adds the newest rows as a plain list. */
function addNewest(
  { Root, types }: QueryParts,
  { type }: PublishedResource,
  { graphql, doc }: Of<'list'>,
  newest: NonNullable<Of<'list'>['newest']>,
): void {
  const slot = { type: types.of(type), list: true, doc }
  addRootField('query', Root, { name: graphql, slot, args: {} }, async ({ context }) =>
    types.presentAll(type, await context.fewAtOnce(() => newest(apart(context)))),
  )
}

function addPage(
  { Root, types, inputs, related, cursors }: QueryParts,
  resource: PublishedResource,
  { graphql, doc }: Of<'list'>,
): void {
  const slot = { type: pageType(resource, types), nullable: true, doc }
  addRootField(
    'query',
    Root,
    { name: graphql, slot, args: inputs.of(resource) },
    async ({ given, context, info }) => {
      const own = apart(context)
      const list = readListArguments(given, { resource, context: own, related }, selects(info, 'count'))
      const request = { ...list, countAlone: !OF_ROWS.some((name) => selects(info, name)) }
      const { em, expensively, yieldToEventLoop } = own
      const { room, shows } = context
      const page = await context.fewAtOnce(async () => {
        const read = await readPage(
          {
            em,
            expensively,
            listing: own.services.listing,
            cursors,
            shows,
            room: room(),
            ceilings: own.services.ceilings,
            yieldToEventLoop,
          },
          resource,
          own,
          request,
        )
        if (read.isCut) throw responseTooLarge(own.services.ceilings)
        await resource.prepare(read.rows, own)
        return read
      })
      return {
        count: page.total,
        results: await mapInPieces(page.rows, (row) => types.show(resource, row, own), yieldToEventLoop),
        startKeyset: page.cursorAt(0) ?? null,
        endKeyset: page.cursorAt(-1) ?? null,
      }
    },
  )
}

/** The fields of a page for which its rows are read. */
const OF_ROWS = ['results', 'startKeyset', 'endKeyset'] as const

function pageType({ type }: PublishedResource, types: ObjectTypes): TypeClass {
  const Page = objectType(`KeysetPageOf${pascalCase(type)}`, 'A page of a list.')
  const doc = 'How many rows match in all; counted only when it is asked for.'
  addField(Page, 'count', lazy({ type: SCALARS.Int, nullable: true, doc }))
  addField(Page, 'results', lazy({ type: types.of(type), list: true, nullable: true }))
  for (const [name, means] of [
    ['startKeyset', 'Of the first row here, for `before`.'],
    ['endKeyset', 'Of the last row here, for `after`.'],
  ] as const)
    addField(Page, name, lazy({ type: SCALARS.String, nullable: true, doc: means }))
  return Page
}

/** Returns null for a row that does not exist or that the caller may not see. */
function addGet({ Root, types }: QueryParts, resource: PublishedResource, operation: Of<'get'>): void {
  const { graphql, doc, find } = operation
  const slot = { type: types.of(resource.type), nullable: true, doc }
  const args = find === undefined ? { id: { type: SCALARS.ID } } : {}
  addRootField('query', Root, { name: graphql, slot, args }, async ({ given, context }) => {
    const own = apart(context)
    return context.fewAtOnce(async () => {
      const row = operation.find
        ? await operation.find(own)
        : mayBeId(given.id)
          ? await findRow(own.em, resource, own, given.id, context.shows)
          : undefined
      if (row === undefined) return null
      await resource.prepare([row], own)
      return types.show(resource, row, own)
    })
  })
}

function addRead({ Root, types }: QueryParts, { type }: PublishedResource, operation: Of<'read'>): void {
  const { graphql, doc, parameters } = operation
  const args = Object.fromEntries(
    Object.entries(parameters).map(([name, parameter]) => [
      camelCase(name),
      { type: SCALARS.String, doc: parameter.doc },
    ]),
  )
  const slot = { type: types.of(type), nullable: true, doc }
  addRootField('query', Root, { name: graphql, slot, args }, async ({ given, context }) => {
    const read: Record<string, string> = {}
    const wrong = Object.entries(parameters).flatMap(([name, parameter]) => {
      const value = parameter.read(String(given[camelCase(name)]))
      if (value !== undefined) read[name] = value
      const detail = misread(parameter)
      return value === undefined ? [problem('invalid_argument', { path: [name], detail })] : []
    })
    refuseAny(wrong)
    return types.present(type, await context.fewAtOnce(() => operation.run(apart(context), read)))
  })
}

/**
 * True when the answer selects this field, directly or in a fragment. A field that a directive skips still counts,
 * which costs an unneeded count query.
 */
function selects({ fieldNodes, fragments }: GraphQLResolveInfo, name: string): boolean {
  const isIn = (set: SelectionSetNode | undefined): boolean =>
    set?.selections.some((selection) => {
      if (selection.kind === 'Field') return selection.name.value === name
      return isIn(
        selection.kind === 'InlineFragment'
          ? selection.selectionSet
          : fragments[selection.name.value]?.selectionSet,
      )
    }) ?? false
  return fieldNodes.some(({ selectionSet }) => isIn(selectionSet))
}
