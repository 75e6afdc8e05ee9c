// Writes GraphQL queries and runs them with the session's credential. Loaded only when its address is opened.
import type { EditorView } from '@codemirror/view'
import { useCallback, useEffect, useId, useRef, useState } from 'react'
import { useConsole } from '../data/console_context.ts'
import type { Diagnostic } from '../graphiql/diagnostic.ts'
import { DiagnosticList } from '../graphiql/diagnostic_list.tsx'
import { QueryEditor } from '../graphiql/query_editor.tsx'
import { ResultPane } from '../graphiql/result_pane.tsx'
import { SchemaPanel } from '../graphiql/schema_panel.tsx'
import type { SchemaPlace } from '../graphiql/schema_place.ts'
import { curlOf } from '../graphiql/send_query.ts'
import { fragmentOf } from '../graphiql/shared_query.ts'
import { Toolbar } from '../graphiql/toolbar.tsx'
import { useWorkbench } from '../graphiql/use_workbench.ts'
import { VariablesEditor } from '../graphiql/variables_editor.tsx'
import { type KeyHelp, KeysDialog } from '../ui/over/keys_dialog.tsx'
import { usePageHelp } from '../ui/over/page_help.ts'
import { useKeys } from '../ui/over/use_keys.ts'

const keys: readonly KeyHelp[] = [
  [['Ctrl', 'Enter'], 'run'],
  [['Shift', 'Alt', 'F'], 'prettify'],
  [['Ctrl', 'Space'], 'complete'],
  [['Tab'], 'take the completion, or indent'],
  [['Esc', 'Tab'], 'leave the editor'],
  [['Ctrl', 'K'], 'look up the word in the schema'],
  [['Esc'], 'close the schema'],
  [['?'], 'this help'],
]

export const GraphiqlPage = () => {
  const { by } = useConsole()
  const bench = useWorkbench()
  const [docs, setDocs] = useState(() => window.matchMedia('(min-width: 1200px)').matches)
  const [help, setHelp] = useState(false)
  const id = useId()
  const [diagnostics, setDiagnostics] = useState<readonly Diagnostic[]>([])
  const [asked, setAsked] = useState<SchemaPlace | null>(null)
  const editor = useRef<EditorView>(null)
  const { text, setText, run, prettify } = bench

  useEffect(() => {
    const pressed = (event: KeyboardEvent): void => {
      const runs = event.key === 'Enter' && (event.ctrlKey || event.metaKey)
      const tidies = event.code === 'KeyF' && event.shiftKey && event.altKey
      if (help || !(runs || tidies)) return
      event.preventDefault()
      if (runs) void run()
      else prettify()
    }
    window.addEventListener('keydown', pressed)
    return () => window.removeEventListener('keydown', pressed)
  }, [run, prettify, help])
  usePageHelp(useCallback(() => setHelp(true), []))
  useKeys({
    '?': () => {
      setHelp(true)
      return true
    },
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
      {help && <KeysDialog keys={keys} onClose={() => setHelp(false)} />}
    </div>
  )
}
