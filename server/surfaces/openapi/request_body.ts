// Describes request bodies: resource documents for creates and updates, and the arguments of actions.
import type { PublishedAction, PublishedOperation, PublishedResource } from '../../catalog/catalog.ts'
import type { Attribute } from '../../contract/attribute.ts'
import { JSON_API } from '../http/error_document.ts'
import type { Components } from './components.ts'
import { kindSchema } from './components.ts'
import { exampleAttributes } from './examples.ts'
import { componentName, type Node } from './node.ts'

type Writing = Extract<PublishedOperation, { readonly kind: 'create' | 'update' }> | PublishedAction

export function requestBody(
  components: Components,
  operation: Writing,
  resource: PublishedResource | undefined,
): Node {
  const name = componentName(operation.name)
  const attributes = putAttributes(components, operation, resource)
  const data =
    operation.kind === 'action' || resource === undefined
      ? attributes
      : resourceObject(components, resource, operation, attributes)
  const schema = components.put('schemas', `${name}Request`, {
    type: 'object',
    properties: { data },
    required: ['data'],
  })
  const example = components.put('examples', `${name}Request`, {
    summary: operation.doc,
    value: { data: exampleData(operation, resource) },
  })
  const content = { schema, examples: { typical: example } }
  return { required: needsBody(operation), content: { [JSON_API]: content, 'application/json': content } }
}

/** An action without required arguments needs no body. */
const needsBody = ({ kind, accepts }: Writing): boolean =>
  kind !== 'action' || Object.values(accepts).some(({ required }) => required)

function putAttributes(
  components: Components,
  { name, accepts, kind }: Writing,
  resource: PublishedResource | undefined,
): Node {
  const members = Object.entries(accepts)
  const required = members.flatMap(([member, one]) => (one.required ? [member] : []))
  return components.put(
    'schemas',
    `${componentName(name)}${kind === 'action' ? 'Arguments' : 'Attributes'}`,
    {
      type: 'object',
      properties: Object.fromEntries(
        members.map(([member, one]) => [
          member,
          attributeSchema(
            components,
            one,
            `${componentName(resource?.type ?? name)}${componentName(member)}`,
          ),
        ]),
      ),
      ...(required.length === 0 ? {} : { required }),
      additionalProperties: false,
    },
  )
}

/** @param owner the prefix of an enumeration's name: the field that it sets */
function attributeSchema(
  components: Components,
  { kind, nullable, doc, entriesOf }: Attribute,
  owner: string,
): Node {
  const schema = kindSchema(components, kind, { nullable, owner })
  const entries =
    entriesOf === undefined
      ? {}
      : { items: { $ref: `#/components/schemas/${componentName(entriesOf)}Attributes` } }
  return { ...schema, ...entries, description: doc }
}

function resourceObject(
  components: Components,
  resource: PublishedResource,
  { kind }: Writing,
  attributes: Node,
): Node {
  const isUpdate = kind === 'update'
  const id = kindSchema(components, resource.id, { owner: `${componentName(resource.type)}Id` })
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

function exampleData(operation: Writing, resource: PublishedResource | undefined): object {
  if (operation.kind === 'action') return operation.example?.data ?? exampleAttributes(operation.accepts)
  return {
    type: resource?.type,
    ...(operation.kind === 'update' ? { id: resource?.id.example } : {}),
    attributes: exampleAttributes(operation.accepts),
  }
}
