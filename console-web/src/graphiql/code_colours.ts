// Colour classes for pieces of code. The colours are in the stylesheet, so that both themes share the
// classes.
import { type Highlighter, tagHighlighter, tags } from '@lezer/highlight'

const BOTH = [
  { tag: [tags.keyword, tags.definitionKeyword, tags.bool, tags.null], class: 'code-keyword' },
  { tag: tags.number, class: 'code-number' },
  { tag: tags.string, class: 'code-string' },
  { tag: tags.comment, class: 'code-comment' },
  { tag: [tags.punctuation, tags.separator], class: 'code-punctuation' },
] as const

/** Fields have no colour of their own, because most of a query is fields. */
export const queryColours: Highlighter = tagHighlighter([
  ...BOTH,
  { tag: tags.modifier, class: 'code-directive' },
  { tag: tags.variableName, class: 'code-variable' },
  { tag: tags.attributeName, class: 'code-property' },
])

export const jsonColours: Highlighter = tagHighlighter([
  ...BOTH,
  { tag: tags.propertyName, class: 'code-property' },
])

/** Descriptions step back behind what they describe. */
export const schemaColours: Highlighter = tagHighlighter([
  ...BOTH,
  { tag: tags.string, class: 'code-comment' },
  { tag: tags.atom, class: 'code-name' },
])
