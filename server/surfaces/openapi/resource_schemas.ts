// The schemas of a resource: its attributes, its relationships, the resource object, and its documents and pages.
import type { Catalog, PublishedResource } from '../../catalog/catalog.ts'
import type { Relationship } from '../../contract/resource.ts'
import { alwaysShown, memberSchemas, wholeObject } from '../../contract/schemas.ts'
import { type Components, componentName, type Node, type Reference, refTo } from './components.ts'

/**
 * Returns functions that store a schema on first use, so that the document contains only the schemas it refers to.
 */
export function resourceSchemas(components: Components, resource: PublishedResource) {
  const name = componentName(resource.type)
  const put = (suffix: string, schema: Node) => components.put('schemas', `${name}${suffix}`, schema)
  const object = (): Reference => putObject(components, resource)
  const shown = (): Record<string, Node> => ({
    id: idOf(components, resource),
    ...fieldsOf(components, resource),
  })
  const reachable = reachableFrom(components.catalog, resource)
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
  const documentOf = (parts: { readonly data: Node; readonly links: Node; readonly meta: Node }): Node => ({
    type: 'object',
    properties: {
      data: parts.data,
      jsonapi: putCommon(components, 'JsonApi'),
      links: parts.links,
      ...included,
      meta: parts.meta,
    },
    required: ['data', 'jsonapi', 'links', 'meta'],
  })
  return {
    /** @param meta given with a name of its own, where it has members */
    document: (documentName = `${name}Document`, meta: Node = putCommon(components, 'Meta')) => {
      const links = putCommon(components, 'DocumentLinks')
      return components.put('schemas', documentName, documentOf({ data: object(), links, meta }))
    },
    page: () =>
      put(
        'Page',
        documentOf({
          data: { type: 'array', items: object(), maxItems: resource.page.max },
          links: putCommon(components, 'PageLinks'),
          meta: putCommon(components, 'PageMeta'),
        }),
      ),
    /** The fields together with the id, as bare reads return them. */
    bare: () =>
      components.put('schemas', `Bare${name}`, {
        type: 'object',
        description: resource.doc,
        properties: shown(),
        required: alwaysShown(resource.fields),
      }),
    /** Only the named fields, all of them required. */
    some: (ownName: string, names: readonly string[], besides: Node = {}) => {
      const all = shown()
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

const idOf = (components: Components, { id, type }: PublishedResource): Node =>
  components.value({ kind: id }, componentName(`${type}_id`))

/** Null is a separate type where a field is nullable. */
function fieldsOf(components: Components, { type, fields }: PublishedResource) {
  const told = Object.entries(fields).map(([name, one]) => {
    const doc = one.onRequest === true ? `${one.doc} Only when \`fields[${type}]\` names it.` : one.doc
    return [name, { ...one, doc }] as const
  })
  return memberSchemas(Object.fromEntries(told), (one, name) =>
    one.component === undefined
      ? components.value(one, componentName(`${type}_${name}`))
      : refTo(one.component),
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
  const linked = Object.entries(relationships).map(
    ([relation, one]) => [relation, { ...putLinkage(components, one), description: one.doc }] as const,
  )
  const members = {
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
    links: putCommon(components, 'Links'),
    meta: putCommon(components, 'Meta'),
  }
  return components.put('schemas', name, wholeObject(members, doc))
}

/** `data` is present when the relationship was included. */
function putLinkage(components: Components, { target, many }: Relationship): Reference {
  const name = componentName(target)
  const identifier = components.put(
    'schemas',
    `${name}Identifier`,
    wholeObject({ type: { type: 'string', const: target }, id: { type: 'string' } }),
  )
  return components.put('schemas', `${name}${many ? 'LinkedMany' : 'LinkedOne'}`, {
    type: 'object',
    properties: {
      links: putCommon(components, 'Links'),
      meta: putCommon(components, 'Meta'),
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

/** The most members that a later version may add to an object that is empty today. */
const ADDED = 16

const LINK: Node = { type: 'string', format: 'uri' }
const LINK_OR_NULL: Node = { type: ['string', 'null'], format: 'uri' }

/** Parts that are the same for every resource. */
const COMMON = {
  JsonApi: wholeObject({ version: { type: 'string', const: '1.1' } }),
  Meta: {
    type: 'object',
    maxProperties: ADDED,
    description: 'Nothing so far; members may be added.',
  },
  Links: {
    type: 'object',
    maxProperties: ADDED,
    description: 'None so far; members may be added.',
  },
  DocumentLinks: wholeObject({ self: LINK }),
  PageLinks: wholeObject(
    {
      first: LINK,
      self: LINK,
      next: { ...LINK_OR_NULL, description: 'null on the last page.' },
      prev: { ...LINK_OR_NULL, description: 'null on the first page.' },
    },
    'Absolute addresses; follow them as they are.',
  ),
  PageMeta: wholeObject({
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
  }),
} as const satisfies Readonly<Record<string, Node>>

export const putCommon = (components: Components, name: keyof typeof COMMON): Reference =>
  components.put('schemas', name, COMMON[name])
