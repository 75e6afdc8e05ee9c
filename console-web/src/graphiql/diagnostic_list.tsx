// The diagnostics of a query, one line each. A line links to its place in the text.
import './graphiql.css'
import type { Diagnostic } from './diagnostic.ts'

type DiagnosticListProps = {
  readonly id: string
  readonly diagnostics: readonly Diagnostic[]
  readonly onGo: (diagnostic: Diagnostic) => void
}

export const DiagnosticList = ({ id, diagnostics, onGo }: DiagnosticListProps) => (
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
