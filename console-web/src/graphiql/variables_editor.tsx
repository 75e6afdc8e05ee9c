// The editor of the variables: JSON, checked as it is written.
import { json, jsonParseLinter } from '@codemirror/lang-json'
import { syntaxHighlighting } from '@codemirror/language'
import { linter } from '@codemirror/lint'
import type { EditorView } from '@codemirror/view'
import { useRef } from 'react'
import { jsonColours } from './code_colours.ts'
import { CodeEditor } from './code_editor.tsx'
import { VARIABLES_CHARACTERS } from './shared_query.ts'

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
