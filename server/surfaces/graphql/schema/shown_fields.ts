// Collects the field names of a document, so that columns behind other fields are not read.
import { type DocumentNode, visit } from 'graphql'
import type { Shows } from '../../../contract/row_columns.ts'
import { snakeCase } from './names.ts'

const known = new WeakMap<DocumentNode, Shows>()

/** Returns true for each field name that occurs anywhere in the document. The result is cached per document. */
export function shownFields(document: DocumentNode): Shows {
  let shows = known.get(document)
  if (shows === undefined) {
    const names = new Set<string>()
    visit(document, { Field: ({ name }) => void names.add(snakeCase(name.value)) })
    shows = (field) => names.has(field)
    known.set(document, shows)
  }
  return shows
}
