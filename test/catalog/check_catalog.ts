// Finds the mistakes of a catalog: what is there twice, is not described, has no ceiling, or names no column.

import type {
  Catalog,
  PublishedAction,
  PublishedOperation,
  PublishedResource,
} from '../../server/catalog/catalog.ts'
import { isSchema, type JsonSchema, type Kind } from '../../server/contract/kind.ts'
import { changesSomething } from '../../server/contract/operation.ts'
import { queryFields } from '../../server/contract/resource_fields.ts'
import type { Columns } from '../../server/store/columns.ts'
import { isSealed, RELATIONS } from '../../server/store/database.ts'

/** Returns one message per mistake; each names the field and the table. */
function wrongColumns(resource: PublishedResource): string[] {
  const { type, table, heavy = [] } = resource
  const columns: Columns = RELATIONS[table]
  const published = Object.entries(queryFields(resource)).map(([column, { filter, sort }]) => ({
    place: `${type}.${column}`,
    column,
    isAsked: filter === true || sort === true,
  }))
  return [
    ...('id' in columns
      ? []
      : [`${type} stands on ${table}, a table without an id, by which rows are found`]),
    ...published.flatMap(({ place, column }) =>
      isSealed(column) ? [`${place} would show ${table}.${column}: what is sealed is never shown`] : [],
    ),
    ...published.flatMap(({ place, column, isAsked }) =>
      isAsked && column !== 'id' && !(column in columns)
        ? [`${place} is filtered or sorted by ${table}.${column}, which there is not`]
        : [],
    ),
    ...heavy.flatMap((column) =>
      column in columns ? [] : [`${type} has a heavy column that ${table} has not: ${column}`],
    ),
  ]
}

type Placed = readonly [place: string, kind: Kind]

/** Returns one message per kind that differs from the first of its name; each names both places. */
function differentKinds({ resources, actions }: Pick<Catalog, 'resources' | 'actions'>): string[] {
  const placed = [
    ...resources.flatMap(({ type, id, fields, operations }): Placed[] => [
      [`${type}.id`, id],
      ...Object.entries(fields).map(([name, { kind }]): Placed => [`${type}.${name}`, kind]),
      ...operations.flatMap(takenOrSaid),
    ]),
    ...actions.flatMap(takenOrSaid),
  ]
  const firsts = new Map<string, Placed>()
  return placed.flatMap(([place, kind]) => {
    const { schema: name } = kind.named
    if (name === undefined) return []
    const [first, known] = firsts.get(name) ?? [place, kind]
    firsts.set(name, [first, known])
    return JSON.stringify(known.schema) === JSON.stringify(kind.schema)
      ? []
      : [`${place} is another ${name} than ${first}: kinds that are not alike need names of their own`]
  })
}

function takenOrSaid(operation: PublishedOperation | PublishedAction): Placed[] {
  const taken = 'accepts' in operation ? operation.accepts : {}
  const said = 'meta' in operation ? (operation.meta?.fields ?? {}) : {}
  return Object.entries({ ...taken, ...said }).map(([name, { kind }]) => [`${operation.name}.${name}`, kind])
}

/** Returns one message per mistake in the resource; each message names the place. */
function withoutCeiling(resource: PublishedResource): string[] {
  const { type, id, fields, relationships, operations, page } = resource
  return [
    ...unbounded(id.schema, `${type}.id`),
    ...Object.entries(fields).flatMap(([name, { kind }]) => unbounded(kind.schema, `${type}.${name}`)),
    ...Object.entries(relationships).flatMap(([name, { many, most }]) =>
      many && !isCeiling(most) ? [`${type}.${name} has no ceiling: a relationship to many says most`] : [],
    ),
    ...(isCeiling(page.max) ? [] : [`${type} has no ceiling: its pages say max`]),
    ...operations.flatMap((operation) => takenWithoutCeiling(operation)),
  ]
}

/** Checks the inputs of an operation or action, and the lists in its result. */
function takenWithoutCeiling(operation: PublishedOperation | PublishedAction): string[] {
  const { name } = operation
  const accepts = 'accepts' in operation ? operation.accepts : {}
  const parameters = 'parameters' in operation ? operation.parameters : {}
  const once = 'meta' in operation ? (operation.meta?.fields ?? {}) : {}
  return [
    ...Object.entries({ ...accepts, ...once }).flatMap(([member, { kind }]) =>
      unbounded(kind.schema, `${name}.${member}`),
    ),
    ...Object.entries(accepts).flatMap(([member, { kind }]) =>
      kind.input === undefined ? [`${name}.${member} is taken, and nothing judges it`] : [],
    ),
    ...Object.entries(parameters).flatMap(([member, { schema }]) => unbounded(schema, `${name}.${member}`)),
    ...('result' in operation && operation.result !== undefined
      ? unbounded(operation.result, `the result of ${name}`, { texts: false })
      : []),
  ]
}

/**
 * Checks a schema and everything inside it. A ceiling in bytes also bounds the texts inside it.
 * @param texts false for results: the server writes these texts itself, so their lengths follow from bounded values
 */
function unbounded(schema: JsonSchema, at: string, { texts = true } = {}): string[] {
  const inner = (node: unknown, where: string): string[] =>
    isSchema(node) ? unbounded(node, where, { texts: texts && !isCeiling(schema['x-max-bytes']) }) : []
  const types = Array.isArray(schema.type) ? schema.type : [schema.type]
  const isClosed = schema.enum !== undefined || schema.const !== undefined || schema.$ref !== undefined
  const missing = (what: string): string => `${at} has no ceiling: a schema of it says ${what}`
  const branches = [schema.anyOf, schema.oneOf, schema.allOf].flatMap((one) =>
    Array.isArray(one) ? one : [],
  )
  const isTyped = isClosed || branches.length > 0 || schema.type !== undefined
  const named = isSchema(schema.properties) ? Object.entries(schema.properties) : []
  const isBoundObject =
    schema.properties !== undefined ||
    isCeiling(schema.maxProperties) ||
    schema.additionalProperties === false
  return [
    ...(isTyped ? [] : [missing('what it is')]),
    ...(texts && types.includes('string') && !isClosed && !isCeiling(schema.maxLength)
      ? [missing('maxLength')]
      : []),
    ...(types.includes('array') && !isCeiling(schema.maxItems) ? [missing('maxItems')] : []),
    ...(types.includes('object') && !isBoundObject ? [missing('maxProperties')] : []),
    ...(isSchema(schema.additionalProperties) && !isSchema(schema.propertyNames)
      ? [missing('propertyNames')]
      : []),
    ...inner(schema.propertyNames, `a name in ${at}`),
    ...inner(schema.additionalProperties, `${at}.*`),
    ...inner(schema.items, `${at}[]`),
    ...named.flatMap(([name, one]) => inner(one, `${at}.${name}`)),
    ...branches.flatMap((one) => inner(one, at)),
  ]
}

const isCeiling = (value: unknown): value is number =>
  typeof value === 'number' && Number.isSafeInteger(value)

/** @throws one Error that lists every mistake */
export function checkCatalog({ resources, actions }: Catalog): void {
  const operations = [...resources.flatMap(({ operations: own }) => own), ...actions]
  const types = resources.map(({ type }) => type)
  const mistakes = [
    ...duplicates(types, 'type'),
    ...duplicates(
      operations.map(({ name }) => name),
      'operation',
    ),
    ...duplicates(
      operations.flatMap((one) => ('http' in one ? [one.http.replace(/:\w+/g, ':')] : [])),
      'route',
    ),
    ...duplicates(
      operations.map(({ graphql }) => graphql),
      'GraphQL field',
    ),
    ...duplicates(
      operations.flatMap(({ tool }) => tool?.name ?? []),
      'tool',
    ),
    ...operations.flatMap((one) =>
      one.access === (changesSomething(one) ? 'read' : 'write')
        ? [`${one.name} has the access of another kind`]
        : [],
    ),
    ...operations.flatMap(wrongTool),
    ...resources.flatMap((resource) => mistakesOf(resource, types)),
    ...resources.flatMap((resource) => leaksOf(resource, resources)),
    ...resources.flatMap(wrongColumns),
    ...differentKinds({ resources, actions }),
    ...resources.flatMap(withoutCeiling),
    ...actions.flatMap(takenWithoutCeiling),
    ...actions.flatMap((action) => undocumented(action)).map((name) => `${name} has no doc`),
    ...actions.flatMap(({ name, answers }) =>
      answers === undefined || types.includes(answers)
        ? []
        : [`${name} answers ${answers}, which is not published`],
    ),
  ]
  if (mistakes.length > 0)
    throw new Error(`The catalog is wrong:\n${mistakes.map((text) => `  ${text}`).join('\n')}`)
}

function mistakesOf(resource: PublishedResource, types: readonly string[]): string[] {
  const { type, path, doc, fields, relationships, operations, page } = resource
  const silent = [
    ...(doc === '' ? [type] : []),
    ...Object.entries({ ...fields, ...relationships }).flatMap(([name, one]) =>
      one.doc === '' ? [`${type}.${name}`] : [],
    ),
    ...operations.flatMap((operation) => undocumented(operation)),
  ]
  return [
    ...silent.map((name) => `${name} has no doc`),
    ...operations.flatMap((one) =>
      'http' in one && !`${one.http.split(' ')[1]}/`.startsWith(`${path}/`)
        ? [`${one.name} is published at ${one.http}, outside ${path}`]
        : [],
    ),
    ...operations.flatMap((one) =>
      'http' in one && one.http.startsWith('GET ') === changesSomething(one)
        ? [`${one.name} has the method of another kind`]
        : [],
    ),
    ...('id' in fields || 'type' in fields ? [`${type} lists id or type among its fields`] : []),
    ...Object.entries(fields).flatMap(([name, { filter, sort, kind }]) =>
      (filter === true || sort === true) && kind.stored === undefined
        ? [`${type}.${name} cannot be filtered or sorted by: its kind is not stored`]
        : [],
    ),
    ...Object.keys(relationships).flatMap((name) =>
      name in fields ? [`${type}.${name} is a field and a relationship`] : [],
    ),
    ...Object.entries(relationships).flatMap(([name, { target }]) =>
      types.includes(target) ? [] : [`${type}.${name} relates to ${target}, which is not published`],
    ),
    ...(page.size > page.max ? [`${type} has pages larger than its maximum`] : []),
  ]
}

/** Agents read the title where they ask a person, and the name stands in scripts. */
function wrongTool({ name, tool, access }: PublishedOperation | PublishedAction): string[] {
  if (tool === undefined) return []
  return [
    ...(/^[a-z][a-z0-9]*(_[a-z0-9]+)*$/.test(tool.name)
      ? []
      : [`${name} has a tool whose name is not in snake case`]),
    ...(tool.title.trim() === '' ? [`the tool ${tool.name} has no title`] : []),
    ...(access === 'read' || access === 'write' ? [] : [`the tool ${tool.name} needs more than agents may`]),
  ]
}

/** True when whoever has no `account` may read rows of the resource. */
const isOpen = ({ operations }: PublishedResource): boolean =>
  operations.some((operation) => !changesSomething(operation) && operation.access === 'read')

/** An include would show rows of a resource to callers who may not read the resource itself. */
function leaksOf(resource: PublishedResource, resources: readonly PublishedResource[]): string[] {
  const { type, operations, relationships } = resource
  if (!operations.some(({ access }) => access !== 'account')) return []
  return Object.entries(relationships).flatMap(([name, { target }]) => {
    const related = resources.find((one) => one.type === target)
    return related === undefined || isOpen(related)
      ? []
      : [`${type}.${name} shows ${target}, which needs more access`]
  })
}

/** Names of the operation, or of its inputs, that have an empty description. */
function undocumented(operation: PublishedOperation | PublishedAction): string[] {
  const taken =
    'accepts' in operation ? operation.accepts : 'parameters' in operation ? operation.parameters : {}
  return [
    ...(operation.doc === '' ? [operation.name] : []),
    ...Object.entries(taken).flatMap(([name, { doc }]) => (doc === '' ? [`${operation.name}.${name}`] : [])),
  ]
}

function duplicates(names: readonly string[], what: string): string[] {
  const repeated = names.filter((name, index) => names.indexOf(name) !== index)
  return [...new Set(repeated)].map((name) => `${what} ${name} is published twice`)
}
