// Example values. A field's or attribute's own example comes first, then its kind's.
import type { PublishedResource } from '../../catalog/catalog.ts'
import type { Accepts } from '../../contract/attribute.ts'
import type { Field } from '../../contract/resource.ts'

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
export function exampleResource({ type, id, fields, relationships }: PublishedResource): object {
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
