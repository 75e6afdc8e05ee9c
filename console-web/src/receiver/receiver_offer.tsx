// Leads a newcomer to the built-in receiver. Shows nothing where there is none, and keeps its place until that is known.
import './receiver.css'
import { Link } from 'wouter'
import { useDocument } from '../data/use_document.ts'
import { RECEIVER_API, RECEIVER_PAGE, readReceiver } from './receiver.ts'

export const ReceiverOffer = () => {
  const loaded = useDocument(RECEIVER_API, { read: readReceiver })
  const isKnown = loaded.kind !== 'loading'
  if (isKnown && !(loaded.kind === 'found' && loaded.value.on)) return null
  return (
    <div className="receiver-offer box bright spread" data-testid="receiver-offer" data-known={isKnown}>
      <div>
        <h3>No receiver yet? Use the built-in one</h3>
        <p className="note">
          It takes deliveries on this machine and shows them as they arrive. Nothing to install.
        </p>
      </div>
      <Link to={RECEIVER_PAGE} className="button primary">
        Watch a delivery arrive
      </Link>
    </div>
  )
}
