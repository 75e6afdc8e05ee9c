// Writes GraphQL queries and runs them with the session's credential. Loaded only when its address is opened.
import type { EditorView } from '@codemirror/view'
import { useEffect, useId, useRef, useState } from 'react'
import { useConsole } from '../data/console_context.ts'
import type { Diagnostic } from '../graphiql/diagnostic.ts'
import { QueryEditor, VariablesEditor } from '../graphiql/query_editor.tsx'
import { ResultPane } from '../graphiql/result_pane.tsx'
import { SchemaPanel } from '../graphiql/schema_panel.tsx'
import type { SchemaPlace } from '../graphiql/schema_place.ts'
import { curlOf } from '../graphiql/send_query.ts'
import { fragmentOf } from '../graphiql/shared_query.ts'
import { Toolbar } from '../graphiql/toolbar.tsx'
import { useWorkbench } from '../graphiql/use_workbench.ts'
import { type PageHelp, useKeys, usePageHelp } from '../ui/over/use_keys.ts'

const HELP: PageHelp = {
  keys: [
    [['Ctrl', 'Enter'], 'run'],
    [['Shift', 'Alt', 'F'], 'prettify'],
    [['Ctrl', 'Space'], 'complete'],
    [['Tab'], 'take the completion, or indent'],
    [['Esc', 'Tab'], 'leave the editor'],
    [['Ctrl', 'K'], 'look up the word in the schema'],
    [['Esc'], 'close the schema'],
  ],
}

export const GraphiqlPage = () => {
  const { by } = useConsole()
  const bench = useWorkbench()
  const [docs, setDocs] = useState(() => window.matchMedia('(min-width: 1200px)').matches)
  const id = useId()
  const [diagnostics, setDiagnostics] = useState<readonly Diagnostic[]>([])
  const [asked, setAsked] = useState<SchemaPlace | null>(null)
  const editor = useRef<EditorView>(null)
  const { text, setText, run, prettify } = bench

  useEffect(() => {
    const pressed = (event: KeyboardEvent): void => {
      const runs = event.key === 'Enter' && (event.ctrlKey || event.metaKey)
      const tidies = event.code === 'KeyF' && event.shiftKey && event.altKey
      if (!(runs || tidies) || document.querySelector('[data-modal]') !== null) return
      event.preventDefault()
      if (runs) void run()
      else prettify()
    }
    window.addEventListener('keydown', pressed)
    return () => window.removeEventListener('keydown', pressed)
  }, [run, prettify])
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
  const fragment = fragmentOf(text)
  const { origin, pathname } = window.location

  return (
    <div className="graphiql">
      <title>GraphiQL · Pharos</title>
      <main className="workbench" data-docs={docs}>
        <h1 className="visually-hidden">GraphiQL</h1>
        <section className="query" aria-label="Query">
          <Toolbar
            running={bench.running}
            operations={bench.operations}
            operationName={bench.operationName}
            curl={bench.overHttp ? curlOf(bench.query, origin, by.kind === 'key' ? by.key : null) : null}
            curlHasKey={by.kind === 'key'}
            link={fragment === null ? null : `${origin}${pathname}${fragment}`}
            docsOpen={docs}
            onRun={() => void run()}
            onStop={bench.stop}
            onOperation={bench.setWantedOperation}
            onPrettify={bench.canPrettify ? prettify : null}
            onDocs={() => setDocs(!docs)}
          />
          <QueryEditor
            value={text.query}
            onChange={(query) => setText((now) => ({ ...now, query }))}
            schema={bench.schema}
            describedBy={`${id}-problems ${id}-leave`}
            onDiagnostics={setDiagnostics}
            onDocs={(place) => {
              setAsked(place)
              setDocs(true)
            }}
            view={editor}
          />
          <p id={`${id}-leave`} hidden>
            Escape, then Tab leaves the editor.
          </p>
          <DiagnosticList id={`${id}-problems`} diagnostics={diagnostics} onGo={goTo} />
          <div className="variables">
            <h2>Variables</h2>
            <VariablesEditor
              value={text.variables}
              onChange={(variables) => setText((now) => ({ ...now, variables }))}
              describedBy={`${id}-variables ${id}-leave`}
            />
            <p className="variables-problem" id={`${id}-variables`} role="status">
              {bench.wrongVariables}
            </p>
          </div>
        </section>
        <ResultPane answer={bench.answer} running={bench.running} />
        {docs && (
          <SchemaPanel
            answer={bench.schemaAnswer}
            asked={asked}
            onAskAgain={bench.askAgain}
            onClose={() => setDocs(false)}
          />
        )}
      </main>
    </div>
  )
}

type DiagnosticListProps = {
  readonly id: string
  readonly diagnostics: readonly Diagnostic[]
  readonly onGo: (diagnostic: Diagnostic) => void
}

const DiagnosticList = ({ id, diagnostics, onGo }: DiagnosticListProps) => (
  <div id={id} className="problems" role="status">
    {diagnostics.map((diagnostic) => (
      <button
        key={`${diagnostic.from} ${diagnostic.message}`}
        type="button"
        data-testid="query-problem"
        onClick={() => onGo(diagnostic)}
      >
        <span>
          {diagnostic.line}:{diagnostic.column}
        </span>
        {diagnostic.message}
      </button>
    ))}
  </div>
)
