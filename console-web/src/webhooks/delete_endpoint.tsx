// Deletes an endpoint after a question. Its deliveries stay.
import { useConsole } from '../data/console_context.ts'
import { EndButton } from '../ui/end_button.tsx'
import { type Endpoint, endpointPath, shortUrl } from './endpoint.ts'

type DeleteEndpointProps = { readonly endpoint: Endpoint; readonly onDeleted: () => void }

export const DeleteEndpoint = ({ endpoint, onDeleted }: DeleteEndpointProps) => {
  const { api } = useConsole()
  return (
    <EndButton
      caption="Delete…"
      title="Delete this endpoint?"
      words={{ no: 'Keep it', yes: 'Delete it', running: 'Deleting…' }}
      testId="delete"
      end={async (signal) => void (await api.delete(endpointPath(endpoint.id), signal))}
      onEnded={onDeleted}
    >
      <p>
        <code className="address-lines">{shortUrl(endpoint.url)}</code>
      </p>
      <p>
        It is not called any more, and what still waits for it is cancelled. Its deliveries stay listed, but
        can no longer be sent again.
      </p>
    </EndButton>
  )
}
