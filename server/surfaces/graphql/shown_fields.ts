// Which fields a document names at all: a column that none of them shows is not read.
import { type DocumentNode, visit } from 'graphql'
import type { Shows } from '../../contract/row_columns.ts'
import { snakeCase } from './names.ts'

const known = new WeakMap<DocumentNode, Shows>()

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
