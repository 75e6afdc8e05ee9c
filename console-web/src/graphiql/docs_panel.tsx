// The documentation of the schema: a search, and linked pages of types and fields.
import './graphiql.css'
import type { GraphQLSchema } from 'graphql'
import { useEffect, useRef, useState } from 'react'
import { IconButton } from '../ui/icon_button.tsx'
import type { SchemaAnswer } from './ask_schema.ts'
import { DocPage } from './doc_page.tsx'
import { type DocPlace, documentedTypes, searchSchema } from './schema_search.ts'

type DocsPanelProps = {
  readonly answer: SchemaAnswer
  /** A place that was requested from the editor. */
  readonly asked: DocPlace | null
  readonly onAskAgain: () => void
  readonly onClose: () => void
}

export const DocsPanel = ({ answer, asked, onAskAgain, onClose }: DocsPanelProps) => (
  <aside className="docs" aria-label="Documentation" data-testid="docs">
    <header className="pane-head">
      <h2>Documentation</h2>
      <IconButton icon="close" label="Close" onClick={onClose} />
    </header>
    {answer.kind === 'known' && <Docs schema={answer.schema} asked={asked} />}
    {answer.kind === 'loading' && <p className="pane-note">Reading the schema…</p>}
    {answer.kind === 'failed' && (
      <p className="pane-note" role="alert">
        {answer.why}{' '}
        <button type="button" className="text-button" onClick={onAskAgain}>
          Ask again
        </button>
      </p>
    )}
  </aside>
)

const Docs = ({ schema, asked }: { schema: GraphQLSchema; asked: DocPlace | null }) => {
  const [trail, setTrail] = useState<readonly DocPlace[]>([])
  const [word, setWord] = useState('')
  const heading = useRef<HTMLHeadingElement>(null)
  const place = trail.at(-1)
  // The focused element disappeared with the previous page, so the focus moves to the heading of the new
  // page.
  useEffect(() => {
    if (place !== undefined) heading.current?.focus()
  }, [place])
  useEffect(() => {
    if (asked === null) return
    setWord('')
    setTrail((before) => [...before, asked])
  }, [asked])
  const go = (next: DocPlace): void => {
    setWord('')
    setTrail([...trail, next])
  }
  const found = searchSchema(schema, word)
  return (
    <>
      <div className="docs-tools">
        <IconButton
          icon="back"
          label="Back"
          disabled={trail.length === 0 && word === ''}
          onClick={() => (word === '' ? setTrail(trail.slice(0, -1)) : setWord(''))}
        />
        <input
          type="search"
          value={word}
          onChange={(event) => setWord(event.target.value)}
          placeholder="Search types and fields"
          aria-label="Search types and fields"
          data-testid="docs-search"
        />
      </div>
      <div className="docs-body">
        {word.trim() !== '' ? (
          <Found places={found} onGo={go} />
        ) : place === undefined ? (
          <Start schema={schema} onGo={go} />
        ) : (
          <DocPage schema={schema} place={place} heading={heading} onGo={go} />
        )}
      </div>
    </>
  )
}

type GoProps = { readonly onGo: (place: DocPlace) => void }

const Found = ({ places, onGo }: GoProps & { places: readonly DocPlace[] }) => (
  <ul className="docs-list" aria-label="Found">
    {places.map((place) => (
      <li key={`${place.type}.${place.field}`}>
        <button type="button" className="doc-link" data-testid="docs-found" onClick={() => onGo(place)}>
          {place.field === null ? place.type : `${place.type}.${place.field}`}
        </button>
      </li>
    ))}
    {places.length === 0 && <li className="pane-note">Nothing has this in its name.</li>}
  </ul>
)

const Start = ({ schema, onGo }: GoProps & { schema: GraphQLSchema }) => {
  const roots = [
    ['query', schema.getQueryType()],
    ['mutation', schema.getMutationType()],
    ['subscription', schema.getSubscriptionType()],
  ] as const
  const rootNames = roots.map(([, type]) => type?.name)
  const link = (name: string) => (
    <button type="button" className="doc-link" onClick={() => onGo({ type: name, field: null })}>
      {name}
    </button>
  )
  return (
    <>
      <h3>Where queries begin</h3>
      <ul className="docs-list">
        {roots.map(([word, type]) =>
          type == null ? null : (
            <li key={word}>
              <span className="code-keyword">{word}</span> {link(type.name)}
            </li>
          ),
        )}
      </ul>
      <h3>All types</h3>
      <ul className="docs-list">
        {documentedTypes(schema)
          .filter(({ name }) => !rootNames.includes(name))
          .map(({ name }) => (
            <li key={name}>{link(name)}</li>
          ))}
      </ul>
    </>
  )
}
