// Sends a sample at once and shows the outcome.
import { type ReactNode, useState } from 'react'
import { Link } from 'wouter'
import { useAsked } from '../data/use_asked.ts'
import { Button } from '../ui/button.tsx'
import { type Delivery, isForReader, outcomeWords, readDeliveryResult } from './delivery.ts'
import { type Endpoint, endpoints } from './endpoint.ts'

type TestSampleProps = {
  readonly endpoint: Endpoint
  /** The page shows what would be lost by leaving it for the record. */
  readonly mustStay?: boolean
  /** Stands beside the button. */
  readonly children?: ReactNode
}

/** Longer than the 15 s that the service waits for the receiver. */
const TIMEOUT_MS = 30_000

export const TestSample = ({ endpoint: { id, kind }, mustStay = false, children }: TestSampleProps) => {
  const { isAsking, why, ask } = useAsked()
  /** Of the last test. */
  const [delivery, setDelivery] = useState<Delivery | null>(null)
  const test = (): void => {
    setDelivery(null)
    ask(async ({ api }) => {
      const path = `${endpoints.at(id)}/test`
      setDelivery(readDeliveryResult(await api.post(path, { data: {} }, { timeoutMs: TIMEOUT_MS })))
    })
  }
  const caption = kind === 'push' ? 'Send a test' : 'Add a sample'
  return (
    <>
      <div className="acts">
        <Button data-testid="test" disabled={isAsking} onClick={test}>
          {isAsking ? 'Sending…' : caption}
        </Button>
        {children}
      </div>
      {/* Always in the page, because a screen reader announces only changes inside an existing element. */}
      <div role="status" data-testid="test-outcome" className="test-outcome">
        {why !== null && <p className="problem">{why}</p>}
        {delivery !== null && (
          <p className="notice" data-tone={hasArrived(delivery) ? 'good' : 'bad'}>
            <strong>{arrivalWords(delivery)}</strong> {outcomeWords(delivery)}.{' '}
            {!mustStay && <Link to={`/webhooks/deliveries/${delivery.id}`}>See its record</Link>}
          </p>
        )}
      </div>
    </>
  )
}

/** What a reader is to take lies there for it. */
const hasArrived = (delivery: Delivery): boolean => delivery.status === 'success' || isForReader(delivery)

const arrivalWords = (delivery: Delivery): string => {
  if (isForReader(delivery)) return 'The sample is there.'
  return delivery.status === 'success' ? 'The sample arrived.' : 'The sample did not get through.'
}
