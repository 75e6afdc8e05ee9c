// The editors of the query, with checks against the schema, and of its variables.

import { json, jsonParseLinter } from '@codemirror/lang-json'
import { syntaxHighlighting } from '@codemirror/language'
import { linter, setDiagnosticsEffect } from '@codemirror/lint'
import { EditorView } from '@codemirror/view'
import { updateSchema } from 'cm6-graphql'
import type { GraphQLSchema } from 'graphql'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { jsonColours } from './code_colours.ts'
import { CodeEditor } from './code_editor.tsx'
import { type Diagnostic, diagnosticsOf } from './diagnostic.ts'
import { queryLanguage } from './query_language.ts'
import { QUERY_CHARACTERS, VARIABLES_CHARACTERS } from './shared_query.ts'

type QueryEditorProps = {
  readonly value: string
  readonly onChange: (value: string) => void
  readonly schema: GraphQLSchema | null
  readonly describedBy: string
  readonly onDiagnostics: (diagnostics: readonly Diagnostic[]) => void
  readonly view: RefObject<EditorView | null>
}

export const QueryEditor = (props: QueryEditorProps) => {
  const { schema, view } = props
  const present = useRef(props)
  useEffect(() => {
    present.current = props
  })
  const [language] = useState(() => [
    queryLanguage(),
    EditorView.updateListener.of(({ transactions, state }) => {
      const checked = transactions.some(({ effects }) => effects.some((one) => one.is(setDiagnosticsEffect)))
      if (checked) present.current.onDiagnostics(diagnosticsOf(state))
    }),
  ])
  useEffect(() => {
    if (view.current !== null) updateSchema(view.current, schema ?? undefined)
  }, [schema, view])
  return (
    <CodeEditor
      label="GraphQL query"
      testId="query"
      describedBy={props.describedBy}
      value={props.value}
      onChange={props.onChange}
      mostCharacters={QUERY_CHARACTERS}
      language={language}
      view={view}
    />
  )
}

type VariablesEditorProps = {
  readonly value: string
  readonly onChange: (value: string) => void
  readonly describedBy: string
}

export const VariablesEditor = ({ value, onChange, describedBy }: VariablesEditorProps) => {
  const view = useRef<EditorView>(null)
  return (
    <CodeEditor
      label="Variables, as a JSON object"
      testId="variables"
      describedBy={describedBy}
      value={value}
      onChange={onChange}
      mostCharacters={VARIABLES_CHARACTERS}
      language={LANGUAGE}
      view={view}
    />
  )
}

const checkJson = jsonParseLinter()

const LANGUAGE = [
  json(),
  syntaxHighlighting(jsonColours),
  // An empty text is accepted, although it is not JSON: it means no variables.
  linter((view) => (view.state.doc.toString().trim() === '' ? [] : checkJson(view))),
]
