// Writes GraphQL queries and runs them with the session's credential. Loaded only when its address is opened.
import type { EditorView } from '@codemirror/view'
import { updateSchema } from 'cm6-graphql'
import { useEffect, useId, useRef, useState } from 'react'
import { CodeEditor, type Diagnostic } from '../graphiql/code_editor.tsx'
import { queryLanguage, variablesLanguage } from '../graphiql/query_language.ts'
import { ResultPane } from '../graphiql/result_pane.tsx'
import { SchemaPanel } from '../graphiql/schema_panel.tsx'
import { QUERY_CHARACTERS, VARIABLES_CHARACTERS } from '../graphiql/shared_query.ts'
import { useSchema } from '../graphiql/use_schema.ts'
import { useWorkbench } from '../graphiql/use_workbench.ts'
import { Button } from '../ui/button.tsx'
import { Select } from '../ui/form/choice.tsx'
import { Icon } from '../ui/icon.tsx'
import { type PageHelp, useKeys, usePageHelp } from '../ui/over/use_keys.ts'
import { useWindowEvent } from '../ui/use_window_event.ts'

const HELP: PageHelp = {
  keys: [
    [['Ctrl', 'Enter'], 'run'],
    [['Ctrl', 'Space'], 'complete'],
    [['Tab'], 'take the completion, or indent'],
    [['Esc', 'Tab'], 'leave the editor'],
    [['Esc'], 'close the schema'],
  ],
}

const LANGUAGE = queryLanguage()

export const GraphiqlPage = () => {
  const bench = useWorkbench()
  const schema = useSchema()
  const [docs, setDocs] = useState(() => window.matchMedia('(min-width: 1200px)').matches)
  const id = useId()
  const [diagnostics, setDiagnostics] = useState<readonly Diagnostic[]>([])
  const editor = useRef<EditorView>(null)
  const variables = useRef<EditorView>(null)
  const { text, setText, run } = bench
  const known = schema.kind === 'found' ? schema.value : undefined
  useEffect(() => {
    if (editor.current !== null) updateSchema(editor.current, known)
  }, [known])

  useWindowEvent('keydown', (event) => {
    const runs = event.key === 'Enter' && (event.ctrlKey || event.metaKey)
    if (!runs || document.querySelector('[data-modal]') !== null) return
    event.preventDefault()
    void run()
  })
  usePageHelp(HELP)
  useKeys({
    Escape: () => {
      setDocs(false)
      return docs
    },
  })

  const goTo = ({ from }: Diagnostic): void => {
    editor.current?.dispatch({ selection: { anchor: from }, scrollIntoView: true })
    editor.current?.focus()
  }

  return (
    <div className="graphiql">
      <title>GraphiQL · Pharos</title>
      <main className="workbench" data-docs={docs}>
        <h1 className="visually-hidden">GraphiQL</h1>
        <section className="query" aria-label="Query">
          <div className="toolbar" role="toolbar" aria-label="Query">
            {bench.running ? (
              <Button look="primary" data-testid="stop" onClick={bench.stop}>
                <Icon name="stop" />
                Stop
              </Button>
            ) : (
              <Button look="primary" data-tip="Run (Ctrl-Enter)" data-testid="run" onClick={() => void run()}>
                <Icon name="play" />
                Run
              </Button>
            )}
            {bench.operations.length > 1 && (
              <Select
                className="operation"
                aria-label="Operation to run"
                data-testid="operation"
                value={bench.operationName ?? ''}
                options={bench.operations.map(({ name, kind }) => [name ?? '', `${kind} ${name ?? ''}`])}
                onChoose={bench.setWantedOperation}
              />
            )}
            <Button data-testid="docs-toggle" aria-pressed={docs} onClick={() => setDocs(!docs)}>
              <Icon name="docs" />
              Schema
            </Button>
          </div>
          <CodeEditor
            label="GraphQL query"
            testId="query"
            describedBy={`${id}-problems ${id}-leave`}
            value={text.query}
            onChange={(query) => setText((now) => ({ ...now, query }))}
            mostCharacters={QUERY_CHARACTERS}
            language={LANGUAGE}
            onDiagnostics={setDiagnostics}
            view={editor}
          />
          <p id={`${id}-leave`} hidden>
            Escape, then Tab leaves the editor.
          </p>
          <div id={`${id}-problems`} className="problems" role="status">
            {diagnostics.map((diagnostic) => (
              <button
                key={`${diagnostic.from} ${diagnostic.message}`}
                type="button"
                data-testid="query-problem"
                onClick={() => goTo(diagnostic)}
              >
                <span>
                  {diagnostic.line}:{diagnostic.column}
                </span>
                {diagnostic.message}
              </button>
            ))}
          </div>
          <div className="variables">
            <h2>Variables</h2>
            <CodeEditor
              label="Variables, as a JSON object"
              testId="variables"
              describedBy={`${id}-variables ${id}-leave`}
              value={text.variables}
              onChange={(variables) => setText((now) => ({ ...now, variables }))}
              mostCharacters={VARIABLES_CHARACTERS}
              language={variablesLanguage}
              view={variables}
            />
            <p className="variables-problem" id={`${id}-variables`} role="status">
              {bench.wrongVariables}
            </p>
          </div>
        </section>
        <ResultPane answer={bench.answer} running={bench.running} />
        {docs && <SchemaPanel loaded={schema} onClose={() => setDocs(false)} />}
      </main>
    </div>
  )
}
