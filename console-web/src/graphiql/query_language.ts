// What the editors know of their texts: GraphQL with colours, completion and checks against the schema, and JSON.
import { acceptCompletion, autocompletion, type CompletionSource } from '@codemirror/autocomplete'
import { json, jsonParseLinter } from '@codemirror/lang-json'
import { syntaxHighlighting } from '@codemirror/language'
import { type Diagnostic, linter } from '@codemirror/lint'
import type { EditorState, Extension } from '@codemirror/state'
import { keymap } from '@codemirror/view'
import { type CompletedWord, graphql } from 'cm6-graphql'
import type { GraphQLSchema } from 'graphql'
import { jsonColours, queryColours } from './code_colours.ts'

/** The text is checked when nothing was typed for this long. */
const REST_MS = 250

const MOST_COMPLETIONS = 60

/** Without a schema, nothing is completed or checked. `updateSchema` adds a schema later. */
export const queryLanguage = (schema?: GraphQLSchema): Extension => [
  graphql(schema, { onCompletionInfoRender: infoOf }),
  linter(null, { delay: REST_MS, markerFilter: unlessEmpty }),
  autocompletion({ override: [completeQuery], icons: false, maxRenderedOptions: MOST_COMPLETIONS }),
  syntaxHighlighting(queryColours),
  keymap.of([{ key: 'Tab', run: acceptCompletion }]),
]

/** The type, unless the list already shows it (as for fields), and the description in the schema. */
const infoOf = ({ type, detail, documentation, deprecationReason }: CompletedWord): Node | null => {
  const lines = [
    detail == null && type !== undefined ? String(type) : '',
    deprecationReason == null ? '' : `Deprecated: ${deprecationReason}`,
    documentation ?? '',
  ].filter((line) => line !== '')
  if (lines.length === 0) return null
  const info = document.createElement('div')
  info.textContent = lines.join('\n')
  return info
}

/**
 * The completions of cm6-graphql, corrected: it names a variable with its `$` but replaces only the text
 * after the `$`, which would give `$$id`.
 */
export const completeQuery: CompletionSource = async (context) => {
  for (const source of context.state.languageDataAt<CompletionSource>('autocomplete', context.pos)) {
    const found = await source(context)
    if (found === null) continue
    const sign = context.state.sliceDoc(found.from - 1, found.from)
    const isVariable = sign === '$' && found.options.every(({ label }) => label.startsWith(sign))
    return isVariable ? { ...found, from: found.from - 1 } : found
  }
  return null
}

/** An empty text is not an error. */
const unlessEmpty = (found: readonly Diagnostic[], { doc }: EditorState): Diagnostic[] =>
  doc
    .toString()
    .replaceAll(/#[^\n]*/g, '')
    .trim() === ''
    ? []
    : [...found]

const checkJson = jsonParseLinter()

export const variablesLanguage: Extension = [
  json(),
  syntaxHighlighting(jsonColours),
  // An empty text is accepted, although it is not JSON: it means no variables.
  linter((view) => (view.state.doc.toString().trim() === '' ? [] : checkJson(view))),
]
