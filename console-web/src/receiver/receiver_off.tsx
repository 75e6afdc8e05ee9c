// What to do where the service has no receiver of its own.
import './receiver.css'
import { LocalTrial } from '../webhooks/local_trial.tsx'
import { reasonWords } from './receiver_words.ts'

export const ReceiverOff = ({ reason }: { reason: string }) => (
  <div className="empty" data-testid="receiver-off">
    <h2>It is off here</h2>
    <p>
      {reasonWords(reason)} The built-in receiver is for trials on one machine, so it runs only while nobody
      else can reach the server.
    </p>
    <p>
      Register the address of a receiver of your own instead: any host that the Internet reaches over https,
      such as a function in a cloud, or a tunnel to your machine that ends TLS.
    </p>
    <LocalTrial open />
  </div>
)
