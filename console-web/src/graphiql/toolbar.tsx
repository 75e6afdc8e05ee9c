// The actions on a query: run it, choose one of several operations, and open the schema.
import './graphiql.css'
import { Button } from '../ui/button.tsx'
import { Select } from '../ui/form/choice.tsx'
import { Icon } from '../ui/icon.tsx'
import type { Operation } from './use_workbench.ts'

type ToolbarProps = {
  readonly running: boolean
  readonly operations: readonly Operation[]
  readonly operationName: string | null
  readonly docsOpen: boolean
  readonly onRun: () => void
  readonly onStop: () => void
  readonly onOperation: (name: string) => void
  readonly onDocs: () => void
}

export const Toolbar = (props: ToolbarProps) => (
  <div className="toolbar" role="toolbar" aria-label="Query">
    {props.running ? (
      <Button look="primary" data-testid="stop" onClick={props.onStop}>
        <Icon name="stop" />
        Stop
      </Button>
    ) : (
      <Button look="primary" data-tip="Run (Ctrl-Enter)" data-testid="run" onClick={props.onRun}>
        <Icon name="play" />
        Run
      </Button>
    )}
    {props.operations.length > 1 && (
      <Select
        className="operation"
        aria-label="Operation to run"
        data-testid="operation"
        value={props.operationName ?? ''}
        options={props.operations.map(({ name, kind }) => [name ?? '', `${kind} ${name ?? ''}`])}
        onChoose={props.onOperation}
      />
    )}
    <button
      type="button"
      className="button docs-toggle"
      data-testid="docs-toggle"
      aria-pressed={props.docsOpen}
      onClick={props.onDocs}
    >
      <Icon name="docs" />
      Schema
    </button>
  </div>
)
