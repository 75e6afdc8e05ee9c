// Describes the successful answers of an operation.
import type { Catalog, PublishedAction, PublishedResource } from '../../catalog/catalog.ts'
import type { SaidOnce } from '../../contract/operation.ts'
import { FAILURE_SCHEMA } from '../../domain/utilities/read_action.ts'
import { JSON_API } from '../http/error_document.ts'
import type { Components } from './components.ts'
import { kindSchema } from './components.ts'
import { exampleFields, exampleResource } from './examples.ts'
import { etagHeader, headersFor, locationHeader } from './headers.ts'
import { componentName, type HttpOperation, type Node } from './node.ts'
import { resourceSchemas } from './resource_schemas.ts'

const VERSION = { version: '1.1' }
const EXAMPLE_BASE = 'https://pharos.example.com/api/json'

/** The responses by status. A read has a validator, unless it is a list. */
export function successResponses(
  components: Components,
  catalog: Catalog,
  operation: HttpOperation,
  resource: PublishedResource | undefined,
): Node {
  const answer = (status: number, description: string, content: Node, headers: Node = {}): Node => ({
    [status]: {
      description,
      headers: { ...headersFor(components, status), ...headers },
      content: { [JSON_API]: content },
    },
  })
  if (operation.kind === 'action') return answer(201, 'Done.', resultContent(components, catalog, operation))
  if (resource === undefined) return {}
  const schemas = resourceSchemas(components, catalog, resource)
  const name = componentName(resource.type)
  const example = (suffix: string, value: unknown): Node => ({
    examples: { typical: components.put('examples', `${name}${suffix}`, { value }) },
  })
  const document = () => ({ schema: schemas.document(), ...example('Document', documentExample(resource)) })
  const unchanged = notModified(components)
  const documentWith = ({ fields }: SaidOnce<object>) => {
    const documentName = `${componentName(operation.name)}Document`
    const value = { ...documentExample(resource), meta: exampleFields(fields) }
    return {
      schema: schemas.documentWith(documentName, metaSchema(components, operation.name, fields)),
      examples: { typical: components.put('examples', documentName, { value }) },
    }
  }
  switch (operation.kind) {
    case 'list':
      return answer(200, 'One page.', { schema: schemas.page(), ...example('Page', pageExample(resource)) })
    case 'get':
      return { ...answer(200, resource.doc, document(), etagHeader(components)), 304: unchanged }
    case 'read': {
      const content = { schema: schemas.bare(), ...example('Bare', bareExample(resource)) }
      return { ...answer(200, resource.doc, content, etagHeader(components)), 304: unchanged }
    }
    case 'create': {
      const content = operation.meta === undefined ? document() : documentWith(operation.meta)
      return answer(201, 'Made.', content, locationHeader(components))
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
function metaSchema(components: Components, operation: string, fields: SaidOnce<object>['fields']): Node {
  const owner = (name: string) => `${componentName(operation)}${componentName(name)}`
  const members = Object.entries(fields).map(([name, { kind, doc }]) => [
    name,
    { ...kindSchema(components, kind, { owner: owner(name) }), description: doc },
  ])
  return { type: 'object', properties: Object.fromEntries(members), required: Object.keys(fields) }
}

const notModified = (components: Components): Node =>
  components.put('responses', 'NotModified', {
    description: 'The representation is the one with this `ETag`; the answer to `If-None-Match: *` too.',
    headers: { ...headersFor(components, 304), ...etagHeader(components) },
  })

/** `{result: …}`. When the caller can correct the input, the result may be a failure object. */
function resultContent(components: Components, catalog: Catalog, operation: PublishedAction): Node {
  const name = componentName(operation.name)
  const answered = operation.answers === undefined ? undefined : catalog.related(operation.answers)
  const result =
    answered === undefined
      ? components.put('schemas', `${name}Result`, operation.result ?? { type: 'object' })
      : resourceSchemas(components, catalog, answered).bare()
  const failure = () => components.put('schemas', 'Failure', FAILURE_SCHEMA)
  const mayFail = operation.graphqlShape === 'utility' && operation.refuses === undefined
  const either = mayFail ? { anyOf: [result, failure()] } : result
  const schema = components.put('schemas', `${name}Answer`, {
    type: 'object',
    properties: { result: either },
    required: ['result'],
  })
  const value = { result: answered === undefined ? (operation.example?.result ?? {}) : bareExample(answered) }
  return { schema, examples: { typical: components.put('examples', `${name}Answer`, { value }) } }
}

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
