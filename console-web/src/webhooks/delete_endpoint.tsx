// Deletes an endpoint after a question. Its deliveries stay.
import './webhooks.css'
import { useState } from 'react'
import { useConsole } from '../data/console_context.ts'
import { useAsked } from '../data/use_asked.ts'
import { SureQuestion } from '../ui/sure_question.tsx'
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
    <SureQuestion
      title="Delete this endpoint?"
      words={{ no: 'Keep it', yes: 'Delete it', running: 'Deleting…' }}
      running={state.kind === 'asking'}
      problem={state.kind === 'failed' ? state.why : null}
      testId="delete-sure"
      onYes={remove}
      onNo={onClose}
    >
      <p>
        <code className="address-lines">{shortUrl(endpoint.url)}</code>
      </p>
      <p>
        It is not called any more, and what still waits for it is cancelled. Its deliveries stay listed, but
        can no longer be sent again.
      </p>
    </SureQuestion>
  )
}
