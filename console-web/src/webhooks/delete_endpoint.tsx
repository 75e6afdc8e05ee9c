// Removes an endpoint, after asking. Its deliveries stay.
import './webhooks.css'
import { useEffect, useId, useRef, useState } from 'react'
import { useConsole } from '../data/console_context.ts'
import { useAsked } from '../data/use_asked.ts'
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

/** A native dialog: it brings its own focus trap, gives the focus back, and closes on Escape. */
const Confirm = ({ endpoint, onDeleted, onClose }: ConfirmProps) => {
  const { api } = useConsole()
  const { state, ask } = useAsked()
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  useEffect(() => {
    const element = dialog.current
    element?.showModal()
    return () => element?.close()
  }, [])
  const remove = (): void =>
    ask(async (signal) => {
      await api.delete(endpointPath(endpoint.id), signal)
      onDeleted()
    })
  return (
    <dialog
      ref={dialog}
      className="help confirm"
      aria-labelledby={id}
      data-testid="confirm"
      onClose={onClose}
    >
      <h2 id={id}>Delete this endpoint?</h2>
      <p>
        <code>{shortUrl(endpoint.url)}</code>
      </p>
      <p>
        It is not called any more, and what still waits for it is cancelled. Its deliveries stay listed, but
        can no longer be sent again.
      </p>
      {state.kind === 'failed' && (
        <p className="problem" role="alert">
          {state.why}
        </p>
      )}
      <div className="confirm-foot">
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
      </div>
    </dialog>
  )
}
