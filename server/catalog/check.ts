// Checks the catalog before the server listens: duplicate names, missing descriptions, missing ceilings.
import { changesSomething } from '../contract/access.ts'
import type { Catalog, PublishedAction, PublishedOperation, PublishedResource } from './catalog.ts'
import { takenWithoutCeiling, withoutCeiling } from './check_ceilings.ts'
import { wrongColumns } from './check_columns.ts'
import { differentKinds } from './check_kinds.ts'

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
