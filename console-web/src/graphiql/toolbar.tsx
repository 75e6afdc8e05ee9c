// The actions on a query: run it, choose one of several operations, format it, copy it, and open the schema.
import './graphiql.css'
import { Button, IconButton } from '../ui/button.tsx'
import { CopyButton } from '../ui/copy_button.tsx'
import { Select } from '../ui/form/choice.tsx'
import { Icon } from '../ui/icon.tsx'
import { Tip } from '../ui/over/tip.tsx'
import type { Operation } from './operation.ts'

type ToolbarProps = {
  readonly running: boolean
  readonly operations: readonly Operation[]
  readonly operationName: string | null
  /** Null when the variables are not JSON, and for a subscription. */
  readonly curl: string | null
  /** The command contains the API key of the session. */
  readonly curlHasKey: boolean
  /** Null when the query is too long for a link. */
  readonly link: string | null
  readonly docsOpen: boolean
  readonly onRun: () => void
  readonly onStop: () => void
  readonly onOperation: (name: string) => void
  /** Null when the query cannot be formatted. */
  readonly onPrettify: (() => void) | null
  readonly onDocs: () => void
}

const PRETTIFY_NOT = 'Prettify: not while the query is incomplete or has comments inside'

export const Toolbar = (props: ToolbarProps) => (
  <div className="toolbar" role="toolbar" aria-label="Query">
    {props.running ? (
      <Button look="primary" data-testid="stop" onClick={props.onStop}>
        <Icon name="stop" />
        Stop
      </Button>
    ) : (
      <Tip text="Run (Ctrl-Enter)">
        <Button look="primary" data-testid="run" onClick={props.onRun}>
          <Icon name="play" />
          Run
        </Button>
      </Tip>
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
    <IconButton
      icon="tidy"
      label="Prettify"
      tip={props.onPrettify === null ? PRETTIFY_NOT : 'Prettify (Shift-Alt-F)'}
      data-testid="prettify"
      // Not `disabled`, because a disabled button cannot show its tip.
      aria-disabled={props.onPrettify === null}
      onClick={() => props.onPrettify?.()}
    />
    {props.link !== null && <CopyButton text={props.link} what="link to this query" icon="link" />}
    {props.curl !== null && (
      <CopyButton
        text={props.curl}
        what={props.curlHasKey ? 'curl command with your key' : 'curl command, for one of your API keys'}
        icon="shell"
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
