// What an operation takes, and what it answers when it succeeds. Examples are those of fields and attributes, or else
// of their kinds.
import type {
  Published,
  PublishedAction,
  PublishedResource,
  PublishedRoute,
  RoutedOperation,
} from '../../catalog/catalog.ts'
import type { OperationOf } from '../../catalog/perform.ts'
import type { Accepts, Attribute } from '../../contract/attribute.ts'
import type { SaidOnce } from '../../contract/operation.ts'
import type { Field } from '../../contract/resource.ts'
import { closedObject, memberSchemas, requiredAmong, wholeObject } from '../../contract/schemas.ts'
import { FAILURE_SCHEMA } from '../../domain/utilities/read_action.ts'
import { JSON_API } from '../http/error_document.ts'
import { type Components, componentName, type Node, refTo } from './components.ts'
import { resourceSchemas } from './resource_schemas.ts'
import { headersFor } from './responses.ts'

type Writing = OperationOf<'create' | 'update'> | PublishedAction

export const takesBody = (operation: RoutedOperation): operation is Writing =>
  operation.kind === 'create' || operation.kind === 'update' || operation.kind === 'action'

export function requestBody(components: Components, of: Published<Writing>): Node {
  const { operation, resource } = of
  const name = componentName(operation.name)
  const attributes = putAttributes(components, of)
  const data =
    operation.kind === 'action' || resource === undefined
      ? attributes
      : resourceObject(components, resource, operation, attributes)
  const schema = components.put('schemas', `${name}Request`, wholeObject({ data }))
  const example = { data: exampleData(of) }
  const content = components.content(schema, `${name}Request`, example, { summary: operation.doc })
  // An action without required arguments needs no body.
  const required = operation.kind !== 'action' || requiredAmong(operation.accepts).length > 0
  return { required, content: { [JSON_API]: content, 'application/json': content } }
}

/** An enumeration is named after the field that it sets. */
function putAttributes(components: Components, { operation, resource }: Published<Writing>): Node {
  const { name, accepts, kind } = operation
  const valueAt = (one: Attribute, member: string): Node => {
    const schema = components.value(one, componentName(`${resource?.type ?? name}_${member}`))
    const { entriesOf } = one
    return entriesOf === undefined
      ? schema
      : { ...schema, items: refTo(`${componentName(entriesOf)}Attributes`) }
  }
  return components.put(
    'schemas',
    `${componentName(name)}${kind === 'action' ? 'Arguments' : 'Attributes'}`,
    closedObject(memberSchemas(accepts, valueAt), requiredAmong(accepts)),
  )
}

function resourceObject(
  components: Components,
  resource: PublishedResource,
  { kind }: Writing,
  attributes: Node,
): Node {
  const isUpdate = kind === 'update'
  const id = components.value({ kind: resource.id }, componentName(`${resource.type}_id`))
  return {
    type: 'object',
    properties: {
      type: { type: 'string', const: resource.type },
      ...(isUpdate ? { id: { ...id, description: 'When it is there: the one in the path.' } } : {}),
      attributes,
    },
    required: ['type', ...(isUpdate ? [] : ['attributes'])],
  }
}

/** The responses by status. A read has a validator, unless it is a list. */
export function successResponses(components: Components, { operation, resource }: PublishedRoute): Node {
  const answer = (status: number, description: string, content: Node, added?: 'ETag' | 'Location'): Node => ({
    [status]: {
      description,
      headers: headersFor(components, status, added),
      content: { [JSON_API]: content },
    },
  })
  if (operation.kind === 'action') return answer(201, 'Done.', resultContent(components, operation))
  if (resource === undefined) return {}
  const schemas = resourceSchemas(components, resource)
  const name = componentName(resource.type)
  const document = () => components.content(schemas.document(), `${name}Document`, documentExample(resource))
  const unchanged = notModified(components)
  const documentWith = ({ fields }: SaidOnce<object>) => {
    const documentName = `${componentName(operation.name)}Document`
    const schema = schemas.document(documentName, metaSchema(components, operation.name, fields))
    const value = { ...documentExample(resource), meta: exampleFields(fields) }
    return components.content(schema, documentName, value)
  }
  switch (operation.kind) {
    case 'list':
      return answer(
        200,
        'One page.',
        components.content(schemas.page(), `${name}Page`, pageExample(resource)),
      )
    case 'get':
      return { ...answer(200, resource.doc, document(), 'ETag'), 304: unchanged }
    case 'read': {
      const content = components.content(schemas.bare(), `${name}Bare`, bareExample(resource))
      return { ...answer(200, resource.doc, content, 'ETag'), 304: unchanged }
    }
    case 'create': {
      const content = operation.meta === undefined ? document() : documentWith(operation.meta)
      return answer(201, 'Made.', content, 'Location')
    }
    case 'update':
      return answer(200, 'As it is now.', document())
    case 'delete':
      return answer(200, 'As it was.', document())
    default:
      return operation satisfies never
  }
}

/** The `meta` of a document that contains values shown only once. */
const metaSchema = (components: Components, operation: string, fields: SaidOnce<object>['fields']): Node => ({
  type: 'object',
  properties: memberSchemas(fields, (one, name) =>
    components.value(one, componentName(`${operation}_${name}`)),
  ),
  required: Object.keys(fields).filter((name) => fields[name]?.optional !== true),
})

const notModified = (components: Components): Node =>
  components.put('responses', 'NotModified', {
    description: 'The representation is the one with this `ETag`; the answer to `If-None-Match: *` too.',
    headers: headersFor(components, 304, 'ETag'),
  })

/** `{result: …}`. When the caller can correct the input, the result may be a failure object. */
function resultContent(components: Components, operation: PublishedAction): Node {
  const name = componentName(operation.name)
  const answered = operation.answers === undefined ? undefined : components.catalog.related(operation.answers)
  const result =
    answered === undefined
      ? components.put('schemas', `${name}Result`, operation.result ?? { type: 'object' })
      : resourceSchemas(components, answered).bare()
  const failure = () => components.put('schemas', 'Failure', FAILURE_SCHEMA)
  const mayFail = operation.graphqlShape === 'utility' && operation.refuses === undefined
  const either = mayFail ? { anyOf: [result, failure()] } : result
  const schema = components.put('schemas', `${name}Answer`, wholeObject({ result: either }))
  const value = { result: answered === undefined ? (operation.example?.result ?? {}) : bareExample(answered) }
  return components.content(schema, `${name}Answer`, value)
}

const sample = ({ kind, example }: Pick<Field, 'kind' | 'example'>): unknown => example ?? kind.example

/** Examples of the fields that are shown by default. */
export function exampleFields(
  fields: Readonly<Record<string, Pick<Field, 'kind' | 'example' | 'onRequest'>>>,
): Readonly<Record<string, unknown>> {
  const shown = Object.entries(fields).filter(([, { onRequest }]) => onRequest !== true)
  return Object.fromEntries(shown.map(([name, one]) => [name, sample(one)]))
}

export function exampleAttributes(accepts: Accepts): Readonly<Record<string, unknown>> {
  const given = Object.entries(accepts).filter(([, { leftOutOfExample }]) => leftOutOfExample !== true)
  return Object.fromEntries(given.map(([name, one]) => [name, sample(one)]))
}

/** A resource object without the data of its relationships. */
function exampleResource({ type, id, fields, relationships }: PublishedResource): object {
  const linked = Object.keys(relationships).map((name) => [name, { links: {}, meta: {} }])
  return {
    type,
    id: id.example,
    attributes: exampleFields(fields),
    relationships: Object.fromEntries(linked),
    links: {},
    meta: {},
  }
}

const VERSION = { version: '1.1' }
const EXAMPLE_BASE = 'https://pharos.example.com/api/json'

const bareExample = ({ id, fields }: PublishedResource): object => ({
  id: id.example,
  ...exampleFields(fields),
})

const documentExample = (resource: PublishedResource): object => ({
  data: exampleResource(resource),
  jsonapi: VERSION,
  links: { self: `${EXAMPLE_BASE}${resource.path}/${String(resource.id.example)}` },
  meta: {},
})

const pageExample = (resource: PublishedResource): object => {
  const address = `${EXAMPLE_BASE}${resource.path}?page%5Blimit%5D=25`
  return {
    data: [exampleResource(resource)],
    jsonapi: VERSION,
    links: { first: address, self: address, next: null, prev: null },
    meta: { page: { limit: 25 } },
  }
}

function exampleData({ operation, resource }: Published<Writing>): object {
  if (operation.kind === 'action') return operation.example?.data ?? exampleAttributes(operation.accepts)
  return {
    type: resource?.type,
    ...(operation.kind === 'update' ? { id: resource?.id.example } : {}),
    attributes: exampleAttributes(operation.accepts),
  }
}
