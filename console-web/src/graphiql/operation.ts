// Lists the operations in a query text, and formats the query.
import { type DocumentNode, Kind, type OperationTypeNode, parse, print } from 'graphql'

export type Operation = { readonly name: string | null; readonly kind: OperationTypeNode }

/** Empty when the text does not parse. */
export const operationsOf = (text: string): Operation[] => {
  const document = parsed(text)
  return (document?.definitions ?? []).flatMap((definition) =>
    definition.kind === Kind.OPERATION_DEFINITION
      ? [{ name: definition.name?.value ?? null, kind: definition.operation }]
      : [],
  )
}

/**
 * Keeps comments in front of the query. Null when the text does not parse, or has comments further in, which
 * printing would lose.
 */
export const prettyQuery = (text: string): string | null => {
  const lead = /^(?:[^\S\n]*#[^\n]*\n|\s*\n)*/.exec(text)?.[0] ?? ''
  const rest = text.slice(lead.length)
  if (hasComment(rest)) return null
  const document = parsed(rest)
  return document === null ? null : `${lead.trim()}${lead.trim() === '' ? '' : '\n'}${print(document)}\n`
}

export const prettyJson = (text: string): string | null => {
  try {
    return text.trim() === '' ? text : JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return null
  }
}

const hasComment = (text: string): boolean =>
  text.replaceAll(/"""[\s\S]*?"""|"(?:[^"\\\n]|\\.)*"/g, '').includes('#')

const parsed = (text: string): DocumentNode | null => {
  try {
    return parse(text)
  } catch {
    return null
  }
}
