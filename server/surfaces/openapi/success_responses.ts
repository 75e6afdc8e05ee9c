// What an operation answers when all is well.
import type { Catalog, PublishedAction, PublishedResource } from '../../catalog/catalog.ts'
import { FAILURE_SCHEMA } from '../../domain/utilities/failure.ts'
import { type Components, type Node, pascalCase } from './components.ts'
import { exampleFields, exampleId, exampleResource } from './examples.ts'
import { etagHeader, headersFor, locationHeader } from './headers.ts'
import { type Known, knownMeta, knownResult } from './known_shapes.ts'
import type { HttpOperation } from './placed.ts'
import { JSON_API } from './request_body.ts'
import { OPEN_OBJECT, resourceSchemas } from './resource_schemas.ts'

const VERSION = { version: '1.1' }
const EXAMPLE_BASE = 'https://pharos.example.com/api/json'

/** By status. Everything but a list has a validator when it is read. */
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
  if (operation.kind === 'action') return answer(201, 'Done.', resultContent(components, operation))
  if (resource === undefined) return {}
  const schemas = resourceSchemas(components, catalog, resource)
  const name = pascalCase(resource.type)
  const example = (suffix: string, value: unknown): Node => ({
    examples: { typical: components.put('examples', `${name}${suffix}`, { value }) },
  })
  const document = () => ({ schema: schemas.document(), ...example('Document', documentExample(resource)) })
  const unchanged = notModified(components)
  const documentWith = ({ schema, example: said }: Known) => {
    const documentName = `${pascalCase(operation.name)}Document`
    const value = { ...documentExample(resource), meta: said }
    return {
      schema: schemas.documentWith(documentName, schema),
      examples: { typical: components.put('examples', documentName, { value }) },
    }
  }
  switch (operation.kind) {
    case 'list':
      return answer(200, 'One page.', { schema: schemas.page(), ...example('Page', pageExample(resource)) })
    case 'get':
      return { ...answer(200, resource.doc, document(), etagHeader(components)), 304: unchanged }
    case 'read': {
      const value = { id: exampleId(resource.id.name), ...exampleFields(resource.type, resource.fields) }
      const content = { schema: schemas.bare(), ...example('Bare', value) }
      return { ...answer(200, resource.doc, content, etagHeader(components)), 304: unchanged }
    }
    case 'create': {
      const meta = knownMeta(operation.name)
      const content = meta === undefined ? document() : documentWith(meta)
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

const notModified = (components: Components): Node =>
  components.put('responses', 'NotModified', {
    description: 'The representation is the one with this `ETag`.',
    headers: { ...headersFor(components, 304), ...etagHeader(components) },
  })

/** `{result: …}`; where the caller can fix the input, a failure object stands in the place of the result. */
function resultContent(components: Components, operation: PublishedAction): Node {
  const name = pascalCase(operation.name)
  const known = knownResult(operation.name)
  const result = components.put('schemas', `${name}Result`, operation.result ?? known?.schema ?? OPEN_OBJECT)
  const failure = () => components.put('schemas', 'Failure', FAILURE_SCHEMA)
  const either = operation.graphqlShape === 'utility' ? { anyOf: [result, failure()] } : result
  const schema = components.put('schemas', `${name}Response`, {
    type: 'object',
    properties: { result: either },
    required: ['result'],
  })
  const value = { result: operation.example?.result ?? known?.example ?? {} }
  return { schema, examples: { typical: components.put('examples', `${name}Response`, { value }) } }
}

const documentExample = (resource: PublishedResource): object => ({
  data: exampleResource(resource),
  jsonapi: VERSION,
  links: { self: `${EXAMPLE_BASE}${resource.path}/${exampleId(resource.id.name)}` },
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
