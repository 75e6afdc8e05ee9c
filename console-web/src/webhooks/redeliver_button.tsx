// Sends a delivery again as a new record with the same bytes and the same webhook-id. A waiting delivery is
// sent at once.
import './webhooks.css'

import { useLocation } from 'wouter'
import { useConsole } from '../data/console_context.ts'
import { useAsked } from '../data/use_asked.ts'
import { DELIVERIES_PATH, type Delivery, readDeliveryResult } from './delivery.ts'

type RedeliverButtonProps = { readonly delivery: Delivery; readonly gone: boolean }

export const RedeliverButton = ({ delivery: { id, status }, gone }: RedeliverButtonProps) => {
  const { api } = useConsole()
  const [, navigate] = useLocation()
  const { state, ask } = useAsked()
  const again = (): void =>
    ask(async (signal) => {
      const path = `${DELIVERIES_PATH}/${encodeURIComponent(id)}/redeliver`
      const { id: fresh } = readDeliveryResult(await api.post(path, { data: {} }, { signal }))
      navigate(`/webhooks/deliveries/${fresh}`)
    })
  return (
    <div className="redeliver">
      <button
        type="button"
        className="button primary"
        data-testid="redeliver"
        disabled={gone || state.kind === 'asking'}
        onClick={again}
      >
        {state.kind === 'asking' ? 'Sending…' : 'Send it again'}
      </button>
      <p className="card-note">{gone ? GONE : status === 'pending' ? WAITING : AGAIN}</p>
      {state.kind === 'failed' && (
        <p className="problem" role="alert">
          {state.why}
        </p>
      )}
    </div>
  )
}

const GONE = 'Its endpoint was deleted, so there is nowhere to send it.'
const AGAIN =
  'A new record with attempts of its own, the same bytes and the same webhook-id: a receiver that knows it may ignore it.'
const WAITING = 'It is still under way: this makes its next attempt at once, and begins no second series.'
