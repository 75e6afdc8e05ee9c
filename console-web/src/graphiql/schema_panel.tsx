// The schema as text beside the query, with a search. A word of the query is looked up in it.
import './graphiql.css'
import { syntaxHighlighting } from '@codemirror/language'
import { StateEffect, StateField } from '@codemirror/state'
import { Decoration, type DecorationSet, EditorView } from '@codemirror/view'
import { graphqlLanguageSupport } from 'cm6-graphql'
import { type GraphQLSchema, printSchema } from 'graphql'
import { type KeyboardEvent, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { Button, IconButton } from '../ui/button.tsx'
import { count } from '../ui/format.ts'
import type { SchemaAnswer } from './ask_schema.ts'
import { schemaColours } from './code_colours.ts'
import { CodeEditor } from './code_editor.tsx'
import { definitionIn, placesOf, type SchemaPlace } from './schema_place.ts'

type SchemaPanelProps = {
  readonly answer: SchemaAnswer
  /** What was looked up from the query. */
  readonly asked: SchemaPlace | null
  readonly onAskAgain: () => void
  readonly onClose: () => void
}

export const SchemaPanel = ({ answer, asked, onAskAgain, onClose }: SchemaPanelProps) => (
  <aside className="docs" aria-label="Schema" data-testid="docs">
    <header className="pane-head">
      <h2>Schema</h2>
      <IconButton icon="close" label="Close" onClick={onClose} />
    </header>
    {answer.kind === 'known' && <SchemaText schema={answer.schema} asked={asked} />}
    {answer.kind === 'loading' && <p className="pane-note">Reading the schema…</p>}
    {answer.kind === 'failed' && (
      <p className="pane-note" role="alert">
        {answer.why}{' '}
        <Button look="text" onClick={onAskAgain}>
          Ask again
        </Button>
      </p>
    )}
  </aside>
)

const SchemaText = ({ schema, asked }: { schema: GraphQLSchema; asked: SchemaPlace | null }) => {
  const text = useMemo(() => printSchema(schema), [schema])
  const view = useRef<EditorView>(null)
  const [search, setSearch] = useState({ word: '', at: 0 })
  const places = useMemo(() => placesOf(text, search.word), [text, search.word])
  const place = places[search.at]
  const show = useCallback((from: number | undefined, length: number): void => {
    const isThere = from !== undefined && length > 0
    view.current?.dispatch({
      effects: [
        mark.of(isThere ? { from, to: from + length } : null),
        ...(isThere ? [EditorView.scrollIntoView(from, { y: 'center' })] : []),
      ],
    })
  }, [])
  useEffect(() => show(place, search.word.trim().length), [show, place, search.word])
  useEffect(() => {
    const definition = asked === null ? null : definitionIn(text, asked)
    if (definition !== null) show(definition.from, definition.length)
  }, [show, text, asked])
  const pressed = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || event.ctrlKey || event.metaKey || places.length === 0) return
    event.preventDefault()
    const by = event.shiftKey ? places.length - 1 : 1
    setSearch({ ...search, at: (search.at + by) % places.length })
  }
  return (
    <>
      <div className="docs-tools">
        <input
          type="search"
          value={search.word}
          onChange={({ target }) => setSearch({ word: target.value, at: 0 })}
          onKeyDown={pressed}
          placeholder="Find in the schema"
          aria-label="Find in the schema; Enter goes to the next place"
          data-testid="docs-search"
        />
        <span role="status" data-testid="docs-found">
          {search.word.trim() === ''
            ? ''
            : places.length === 0
              ? 'nowhere'
              : `${count(search.at + 1)} of ${count(places.length)}`}
        </span>
      </div>
      <CodeEditor
        label="The schema, as text"
        testId="schema"
        value={text}
        readOnly
        language={LANGUAGE}
        view={view}
      />
    </>
  )
}

const mark = StateEffect.define<{ readonly from: number; readonly to: number } | null>()
const marked = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update: (before, { effects }) => {
    const set = effects.find((effect) => effect.is(mark))
    if (set === undefined) return before
    const range = set.value
    return range === null
      ? Decoration.none
      : Decoration.set([Decoration.mark({ class: 'schema-found' }).range(range.from, range.to)])
  },
  provide: (field) => EditorView.decorations.from(field),
})

const LANGUAGE = [
  graphqlLanguageSupport(),
  syntaxHighlighting(schemaColours),
  EditorView.lineWrapping,
  marked,
]
