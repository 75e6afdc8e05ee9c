// The schemas of a resource: its attributes, its relationships, the resource object, and its documents and pages.
import type { Catalog, PublishedResource } from '../../catalog/catalog.ts'
import type { Relationship } from '../../contract/resource.ts'
import type { Components } from './components.ts'
import { kindSchema } from './components.ts'
import { componentName, type Node, type Reference } from './node.ts'

/** The most members that a later version may add to an object that is empty today. */
const ADDED = 16

const putMeta = (components: Components): Reference =>
  components.put('schemas', 'Meta', {
    type: 'object',
    maxProperties: ADDED,
    description: 'Nothing so far; members may be added.',
  })

const putLinks = (components: Components): Reference =>
  components.put('schemas', 'Links', {
    type: 'object',
    maxProperties: ADDED,
    description: 'None so far; members may be added.',
  })

interface ResourceSchemas {
  readonly document: () => Reference
  readonly page: () => Reference
  /** The fields together with the id, as bare reads return them. */
  readonly bare: () => Reference
  /** A document whose `meta` has members. */
  readonly documentWith: (name: string, meta: Node) => Reference
  /** Only the named fields, all of them required. */
  readonly some: (name: string, fields: readonly string[], besides?: Node) => Reference
}

/**
 * Returns functions that store a schema on first use, so that the document contains only the schemas it refers to.
 */
export function resourceSchemas(
  components: Components,
  catalog: Catalog,
  resource: PublishedResource,
): ResourceSchemas {
  const name = componentName(resource.type)
  const put = (suffix: string, schema: Node) => components.put('schemas', `${name}${suffix}`, schema)
  const object = (): Reference => putObject(components, resource)
  const reachable = reachableFrom(catalog, resource)
  const included: Record<string, Node> =
    reachable.length === 0
      ? {}
      : {
          included: {
            type: 'array',
            items: { oneOf: reachable.map((type) => refTo(componentName(type))) },
            maxItems: components.ceilings.included_rows,
          },
        }
  const documentOf = (meta: Node): Node => ({
    type: 'object',
    properties: {
      data: object(),
      jsonapi: putVersion(components),
      links: putSelf(components),
      ...included,
      meta,
    },
    required: ['data', 'jsonapi', 'links', 'meta'],
  })
  return {
    document: () => put('Document', documentOf(putMeta(components))),
    page: () =>
      put('Page', {
        type: 'object',
        properties: {
          data: { type: 'array', items: object(), maxItems: resource.page.max },
          jsonapi: putVersion(components),
          links: putPageLinks(components),
          ...included,
          meta: putPageMeta(components),
        },
        required: ['data', 'jsonapi', 'links', 'meta'],
      }),
    bare: () =>
      components.put('schemas', `Bare${name}`, {
        type: 'object',
        description: resource.doc,
        properties: { id: idOf(components, resource), ...fieldsOf(components, resource) },
        required: [
          'id',
          ...Object.entries(resource.fields).flatMap(([field, { onRequest }]) => (onRequest ? [] : [field])),
        ],
      }),
    documentWith: (documentName, meta) => components.put('schemas', documentName, documentOf(meta)),
    some: (ownName, names, besides = {}) => {
      const all: Record<string, Node> = { id: idOf(components, resource), ...fieldsOf(components, resource) }
      const picked = names.map((field) => {
        const schema = all[field]
        if (schema === undefined) throw new Error(`There is no ${field} of a ${resource.type}.`)
        return [field, schema] as const
      })
      return components.put('schemas', ownName, {
        type: 'object',
        properties: { ...Object.fromEntries(picked), ...besides },
        required: names,
      })
    },
  }
}

const refTo = (name: string): Reference => ({ $ref: `#/components/schemas/${name}` })

const putSelf = (components: Components): Reference =>
  components.put('schemas', 'DocumentLinks', {
    type: 'object',
    properties: { self: LINK },
    required: ['self'],
  })

const idOf = (components: Components, { id, type }: PublishedResource): Node =>
  kindSchema(components, id, { owner: `${componentName(type)}Id` })

/** Every field with its description. Null is a separate type where the field is nullable. */
function fieldsOf(components: Components, { type, fields }: PublishedResource): Record<string, Node> {
  return Object.fromEntries(
    Object.entries(fields).map(([field, { kind, nullable, doc, onRequest, component }]) => {
      const owner = `${componentName(type)}${componentName(field)}`
      const schema =
        component === undefined ? kindSchema(components, kind, { nullable, owner }) : refTo(component)
      const description = onRequest === true ? `${doc} Only when \`fields[${type}]\` names it.` : doc
      return [field, { ...schema, description }]
    }),
  )
}

function putObject(components: Components, resource: PublishedResource): Reference {
  const { type, doc, relationships } = resource
  const name = componentName(type)
  const attributes = components.put('schemas', `${name}Attributes`, {
    type: 'object',
    description: `Less of them with \`fields[${type}]\`.`,
    properties: fieldsOf(components, resource),
  })
  const linked = Object.entries(relationships).map(([relation, one]) => [
    relation,
    { ...putLinkage(components, one), description: one.doc },
  ])
  return components.put('schemas', name, {
    type: 'object',
    description: doc,
    properties: {
      type: { type: 'string', const: type },
      id: idOf(components, resource),
      attributes,
      relationships:
        linked.length === 0
          ? components.put('schemas', 'NoRelationships', { type: 'object', maxProperties: 0 })
          : components.put('schemas', `${name}Relationships`, {
              type: 'object',
              properties: Object.fromEntries(linked),
            }),
      links: putLinks(components),
      meta: putMeta(components),
    },
    required: ['type', 'id', 'attributes', 'relationships', 'links', 'meta'],
  })
}

/** `data` is present when the relationship was included. */
function putLinkage(components: Components, { target, many }: Relationship): Reference {
  const name = componentName(target)
  const identifier = components.put('schemas', `${name}Identifier`, {
    type: 'object',
    properties: { type: { type: 'string', const: target }, id: { type: 'string' } },
    required: ['type', 'id'],
  })
  return components.put('schemas', `${name}${many ? 'LinkedMany' : 'LinkedOne'}`, {
    type: 'object',
    properties: {
      links: putLinks(components),
      meta: putMeta(components),
      data: many
        ? { type: 'array', items: identifier, maxItems: components.ceilings.included_rows }
        : { anyOf: [identifier, { type: 'null' }] },
    },
    required: ['links', 'meta'],
  })
}

/** The types that include paths can reach, ordered by name. */
export function reachableFrom(catalog: Catalog, resource: PublishedResource): string[] {
  const found = new Set<string>()
  const visit = ({ relationships }: PublishedResource): void => {
    for (const { target } of Object.values(relationships))
      if (!found.has(target)) {
        found.add(target)
        visit(catalog.related(target))
      }
  }
  visit(resource)
  return [...found].sort()
}

export const putVersion = (components: Components): Reference =>
  components.put('schemas', 'JsonApi', {
    type: 'object',
    properties: { version: { type: 'string', const: '1.1' } },
    required: ['version'],
  })

const LINK: Node = { type: 'string', format: 'uri' }
const LINK_OR_NULL: Node = { type: ['string', 'null'], format: 'uri' }

const putPageLinks = (components: Components): Reference =>
  components.put('schemas', 'PageLinks', {
    type: 'object',
    description: 'Absolute addresses; follow them as they are.',
    properties: {
      first: LINK,
      self: LINK,
      next: { ...LINK_OR_NULL, description: 'null on the last page.' },
      prev: { ...LINK_OR_NULL, description: 'null on the first page.' },
    },
    required: ['first', 'self', 'next', 'prev'],
  })

const putPageMeta = (components: Components): Reference =>
  components.put('schemas', 'PageMeta', {
    type: 'object',
    properties: {
      page: {
        type: 'object',
        properties: {
          limit: { type: 'integer', minimum: 1, description: 'The page size that was really used.' },
          total: {
            type: 'integer',
            minimum: 0,
            description: 'How many match; only with `page[count]=true`.',
          },
        },
        required: ['limit'],
      },
    },
    required: ['page'],
  })
