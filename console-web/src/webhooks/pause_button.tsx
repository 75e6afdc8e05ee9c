// Pauses or resumes an endpoint.
import './webhooks.css'
import { useConsole } from '../data/console_context.ts'
import { useAsked } from '../data/use_asked.ts'
import { Icon } from '../ui/icon.tsx'
import { type Endpoint, endpointPath } from './endpoint.ts'

type PauseButtonProps = { readonly endpoint: Endpoint; readonly onChanged: () => void }

export const PauseButton = ({ endpoint: { id, enabled }, onChanged }: PauseButtonProps) => {
  const { api } = useConsole()
  const { state, ask } = useAsked()
  const toggle = (): void =>
    ask(async (signal) => {
      const attributes = { enabled: !enabled }
      await api.patch(endpointPath(id), { data: { type: 'webhook_endpoint', id, attributes } }, signal)
      onChanged()
    })
  return (
    <>
      <button
        type="button"
        className="button"
        data-testid="pause-endpoint"
        disabled={state.kind === 'asking'}
        onClick={toggle}
      >
        <Icon name={enabled ? 'pause' : 'play'} />
        <span>{enabled ? 'Pause' : 'Enable'}</span>
      </button>
      {state.kind === 'failed' && (
        <p className="problem" role="alert">
          {state.why}
        </p>
      )}
    </>
  )
}
