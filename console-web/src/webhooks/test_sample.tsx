// Sends a sample at once and shows the outcome. The page decides where the button and the outcome are placed.
import './webhooks.css'
import { useState } from 'react'
import { Link } from 'wouter'
import { useConsole } from '../data/console_context.ts'
import { type Asked, useAsked } from '../data/use_asked.ts'
import { Button } from '../ui/button.tsx'
import { type Delivery, isForReader, outcomeWords, readDeliveryResult } from './delivery.ts'
import { type Endpoint, endpointPath } from './endpoint.ts'

type Testing = Pick<Asked, 'isAsking' | 'why'> & {
  /** The delivery of the last test. */
  readonly delivery: Delivery | null
  readonly test: () => void
  readonly caption: string
}

/** Longer than the 15 s that the service waits for the receiver. */
const TIMEOUT_MS = 30_000

export const useTest = ({ id, kind }: Endpoint): Testing => {
  const { api } = useConsole()
  const { isAsking, why, ask } = useAsked()
  const [delivery, setDelivery] = useState<Delivery | null>(null)
  const test = (): void => {
    setDelivery(null)
    ask(async (signal) => {
      const path = `${endpointPath(id)}/test`
      setDelivery(readDeliveryResult(await api.post(path, { data: {} }, { signal, timeoutMs: TIMEOUT_MS })))
    })
  }
  return { isAsking, why, delivery, test, caption: kind === 'push' ? 'Send a test' : 'Add a sample' }
}

export const TestButton = ({ testing: { isAsking, test, caption } }: { testing: Testing }) => (
  <Button data-testid="test" disabled={isAsking} onClick={test}>
    {isAsking ? 'Sending…' : caption}
  </Button>
)

/** Always in the page, because a screen reader announces only changes inside an existing element. */
export const TestOutcome = ({ testing: { why, delivery } }: { testing: Testing }) => (
  <div role="status" data-testid="test-outcome" className="test-outcome">
    {why !== null && <p className="problem">{why}</p>}
    {delivery !== null && (
      <p className="notice" data-tone={hasArrived(delivery) ? 'good' : 'bad'}>
        <strong>{arrivalWords(delivery)}</strong> {outcomeWords(delivery)}.{' '}
        <Link to={`/webhooks/deliveries/${delivery.id}`}>See its record</Link>
      </p>
    )}
  </div>
)

/** What a reader is to take lies there for it. */
const hasArrived = (delivery: Delivery): boolean => delivery.status === 'success' || isForReader(delivery)

const arrivalWords = (delivery: Delivery): string => {
  if (isForReader(delivery)) return 'The sample is there.'
  return delivery.status === 'success' ? 'The sample arrived.' : 'The sample did not get through.'
}
