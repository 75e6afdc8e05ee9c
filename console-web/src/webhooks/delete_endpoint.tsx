// Deletes an endpoint after a question. Its deliveries stay.
import './webhooks.css'
import { useState } from 'react'
import { useConsole } from '../data/console_context.ts'
import { useAsked } from '../data/use_asked.ts'
import { Question } from '../ui/dialog.tsx'
import { type Endpoint, endpointPath, shortUrl } from './endpoint.ts'

type DeleteEndpointProps = { readonly endpoint: Endpoint; readonly onDeleted: () => void }

export const DeleteEndpoint = ({ endpoint, onDeleted }: DeleteEndpointProps) => {
  const [sure, setSure] = useState(false)
  return (
    <>
      <button type="button" className="button danger" data-testid="delete" onClick={() => setSure(true)}>
        Delete…
      </button>
      {sure && <Confirm endpoint={endpoint} onDeleted={onDeleted} onClose={() => setSure(false)} />}
    </>
  )
}

type ConfirmProps = DeleteEndpointProps & { readonly onClose: () => void }

const Confirm = ({ endpoint, onDeleted, onClose }: ConfirmProps) => {
  const { api } = useConsole()
  const { state, ask } = useAsked()
  const remove = (): void =>
    ask(async (signal) => {
      await api.delete(endpointPath(endpoint.id), signal)
      onDeleted()
    })
  return (
    <Question
      title="Delete this endpoint?"
      testId="confirm"
      onNo={onClose}
      text={
        <>
          <p>
            <code>{shortUrl(endpoint.url)}</code>
          </p>
          <p>
            It is not called any more, and what still waits for it is cancelled. Its deliveries stay listed,
            but can no longer be sent again.
          </p>
          {state.kind === 'failed' && (
            <p className="problem" role="alert">
              {state.why}
            </p>
          )}
        </>
      }
    >
      <button type="button" className="button" onClick={onClose}>
        Keep it
      </button>
      <button
        type="button"
        className="button danger"
        data-testid="delete-sure"
        disabled={state.kind === 'asking'}
        onClick={remove}
      >
        {state.kind === 'asking' ? 'Deleting…' : 'Delete it'}
      </button>
    </Question>
  )
}
