// The actions on a query: run it, choose one of several operations, and open the schema.
import { Button } from '../ui/button.tsx'
import { Select } from '../ui/form/choice.tsx'
import { Icon } from '../ui/icon.tsx'
import type { Workbench } from './use_workbench.ts'

type ToolbarProps = {
  readonly bench: Workbench
  readonly docsOpen: boolean
  readonly onDocs: () => void
}

export const Toolbar = ({ bench, docsOpen, onDocs }: ToolbarProps) => (
  <div className="toolbar" role="toolbar" aria-label="Query">
    {bench.running ? (
      <Button look="primary" data-testid="stop" onClick={bench.stop}>
        <Icon name="stop" />
        Stop
      </Button>
    ) : (
      <Button look="primary" data-tip="Run (Ctrl-Enter)" data-testid="run" onClick={() => void bench.run()}>
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
    <Button data-testid="docs-toggle" aria-pressed={docsOpen} onClick={onDocs}>
      <Icon name="docs" />
      Schema
    </Button>
  </div>
)
