// Adds the queries of resources: pages, single rows and bare reads.
import type { GraphQLResolveInfo } from 'graphql'
import type { PublishedResource } from '../../../catalog/catalog.ts'
import { findAsked, type OperationOf, readParameters } from '../../../catalog/perform.ts'
import { readPage } from '../../../contract/page.ts'
import { responseTooLarge } from '../../../contract/row_columns.ts'
import { mapInPieces } from '../../../kernel/flow/in_pieces.ts'
import { type Problem, refuseAny } from '../../../kernel/refusal.ts'
import { readListArguments } from './arguments.ts'
import { addRootField, objectType, type TypeClass } from './decorate.ts'
import { camelCase, pascalCase } from './names.ts'
import type { ObjectTypes, RootParts } from './object_types.ts'
import { SCALARS } from './scalars.ts'
import { selectedFields } from './selected_fields.ts'

export function addQueries(parts: RootParts, resource: PublishedResource): void {
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
  { Query, types }: RootParts,
  { type }: PublishedResource,
  { graphql, doc }: OperationOf<'list'>,
  newest: NonNullable<OperationOf<'list'>['newest']>,
): void {
  const slot = { type: types.of(type), list: true, doc }
  addRootField('query', Query, { name: graphql, slot, args: {} }, async ({ context }) =>
    types.presentAll(type, await context.fewAtOnce(() => newest(context))),
  )
}

function addPage(
  { Query, types, inputs, related, cursors }: RootParts,
  resource: PublishedResource,
  { graphql, doc }: OperationOf<'list'>,
): void {
  const slot = { type: pageType(resource, types), nullable: true, doc }
  addRootField(
    'query',
    Query,
    { name: graphql, slot, args: inputs(resource) },
    async ({ given, context, info }) => {
      const selected = namesIn(info)
      const list = readListArguments(given, { resource, context, related }, selected.has('count'))
      const request = { ...list, countAlone: !OF_ROWS.some((name) => selected.has(name)) }
      const { room, shows } = context
      const page = await context.fewAtOnce(async () => {
        const read = await readPage({ cursors, shows, room: room() }, resource, context, request)
        if (read.isCut) throw responseTooLarge(context.services.ceilings)
        await resource.prepare(read.rows, context)
        return read
      })
      return {
        count: page.total,
        results: await mapInPieces(
          page.rows,
          (row) => types.show(resource, row, context),
          context.yieldToEventLoop,
        ),
        startKeyset: page.cursorAt(0) ?? null,
        endKeyset: page.cursorAt(-1) ?? null,
      }
    },
  )
}

/** The fields of a page for which its rows are read. */
const OF_ROWS = ['results', 'startKeyset', 'endKeyset'] as const

const pageType = ({ type }: PublishedResource, types: ObjectTypes): TypeClass =>
  objectType(`KeysetPageOf${pascalCase(type)}`, 'A page of a list.', {
    count: {
      type: SCALARS.Int,
      nullable: true,
      doc: 'How many rows match in all; counted only when it is asked for.',
    },
    results: { type: types.of(type), list: true, nullable: true },
    startKeyset: { type: SCALARS.String, nullable: true, doc: 'Of the first row here, for `before`.' },
    endKeyset: { type: SCALARS.String, nullable: true, doc: 'Of the last row here, for `after`.' },
  })

/** Returns null for a row that does not exist or that the caller may not see. */
function addGet(
  { Query, types }: RootParts,
  resource: PublishedResource,
  operation: OperationOf<'get'>,
): void {
  const { graphql, doc, find } = operation
  const slot = { type: types.of(resource.type), nullable: true, doc }
  const args = find === undefined ? { id: { type: SCALARS.ID } } : {}
  addRootField('query', Query, { name: graphql, slot, args }, ({ given, context }) =>
    context.fewAtOnce(async () => {
      const row = await findAsked({ operation, resource }, context, { id: given.id, shows: context.shows })
      return row === undefined ? null : types.prepareRow(resource, row, context)
    }),
  )
}

function addRead(
  { Query, types }: RootParts,
  { type }: PublishedResource,
  operation: OperationOf<'read'>,
): void {
  const { graphql, doc, parameters } = operation
  const args = Object.fromEntries(
    Object.entries(parameters).flatMap(([name, { doc: means, absent, onHttpAlone }]) =>
      onHttpAlone === true
        ? []
        : [[camelCase(name), { type: SCALARS.String, nullable: absent !== undefined, doc: means }] as const],
    ),
  )
  const slot = { type: types.of(type), nullable: true, doc }
  addRootField('query', Query, { name: graphql, slot, args }, async ({ given, context }) => {
    const wrong: Problem[] = []
    const asked = (name: string): unknown => given[camelCase(name)]
    const read = readParameters(operation, asked, (one) => void wrong.push(one))
    refuseAny(wrong)
    return types.present(type, await context.fewAtOnce(() => operation.run(context, read)))
  })
}

/** The fields that the answer selects. One that a directive skips counts, which costs an unneeded count query. */
function namesIn({ fieldNodes, fragments }: GraphQLResolveInfo): ReadonlySet<string | undefined> {
  const sets = fieldNodes.map(({ selectionSet }) => selectionSet)
  const { fields } = selectedFields(sets, { get: (name) => fragments[name] })
  return new Set([...fields.values()].map(([first]) => first?.name.value))
}
