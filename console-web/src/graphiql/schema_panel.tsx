// The schema as text beside the query. The browser finds words in it.
import { highlightCode } from '@lezer/highlight'
import { graphqlLanguageSupport } from 'cm6-graphql'
import { type GraphQLSchema, printSchema } from 'graphql'
import { type ReactNode, useMemo } from 'react'
import { IconButton } from '../ui/button.tsx'
import { LoadState } from '../ui/load/load_failed.tsx'
import { schemaColours } from './code_colours.ts'
import type { useSchema } from './use_schema.ts'

type SchemaPanelProps = {
  readonly loaded: ReturnType<typeof useSchema>
  readonly onClose: () => void
}

export const SchemaPanel = ({ loaded, onClose }: SchemaPanelProps) => (
  <aside className="docs" aria-label="Schema" data-testid="docs">
    <header className="pane-head">
      <h2>Schema</h2>
      <IconButton icon="close" label="Close" onClick={onClose} />
    </header>
    {loaded.kind === 'found' && <SchemaText schema={loaded.value} />}
    <LoadState loaded={loaded} what="the schema" />
  </aside>
)

const SchemaText = ({ schema }: { schema: GraphQLSchema }) => {
  const pieces = useMemo(() => piecesOf(printSchema(schema)), [schema])
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <pre className="pane-text" data-testid="schema" tabIndex={0}>
      <code>{pieces}</code>
    </pre>
  )
}

const piecesOf = (text: string): readonly ReactNode[] => {
  const pieces: ReactNode[] = []
  const tree = graphqlLanguageSupport().language.parser.parse(text)
  highlightCode(
    text,
    tree,
    schemaColours,
    (piece, className) =>
      pieces.push(
        className === '' ? (
          piece
        ) : (
          <span key={pieces.length} className={className}>
            {piece}
          </span>
        ),
      ),
    () => pieces.push('\n'),
  )
  return pieces
}
