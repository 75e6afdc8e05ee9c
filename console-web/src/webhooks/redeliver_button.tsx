// Sends a delivery again as a new record with the same bytes and the same webhook-id. A waiting delivery is
// sent at once.
import { useLocation } from 'wouter'
import { useConsole } from '../data/console_context.ts'
import { ActButton } from '../ui/act_button.tsx'
import { DELIVERIES_PATH, type Delivery, readDeliveryResult } from './delivery.ts'

type RedeliverButtonProps = { readonly delivery: Delivery; readonly gone: boolean }

export const RedeliverButton = ({ delivery: { id, status }, gone }: RedeliverButtonProps) => {
  const { api } = useConsole()
  const [, navigate] = useLocation()
  return (
    <div className="redeliver">
      <ActButton
        caption="Send it again"
        running="Sending…"
        look="primary"
        testId="redeliver"
        disabled={gone}
        act={async (signal) => {
          const path = `${DELIVERIES_PATH}/${encodeURIComponent(id)}/redeliver`
          const { id: fresh } = readDeliveryResult(await api.post(path, { data: {} }, { signal }))
          navigate(`/webhooks/deliveries/${fresh}`)
        }}
      >
        <p className="card-note">{gone ? GONE : status === 'pending' ? WAITING : AGAIN}</p>
      </ActButton>
    </div>
  )
}

const GONE = 'Its endpoint was deleted, so there is nowhere to send it.'
const AGAIN =
  'A new record with attempts of its own, the same bytes and the same webhook-id: a receiver that knows it may ignore it.'
const WAITING = 'It is still under way: this makes its next attempt at once, and begins no second series.'
