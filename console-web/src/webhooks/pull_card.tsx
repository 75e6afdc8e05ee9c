// How a program reads an endpoint to which nothing is sent, and how far it is.
import { useDocument } from '../data/use_document.ts'
import { TextBox } from '../ui/fields.tsx'
import { plural } from '../ui/format.ts'
import { Card } from '../ui/section.tsx'
import { Ago } from '../ui/time.tsx'
import { type Endpoint, endpoints } from './endpoint.ts'
import { countPath, readCount } from './send_again.ts'

/** `pulse` differs after each change of a delivery. */
export const PullCard = ({ endpoint: { id }, pulse }: { endpoint: Endpoint; pulse: string }) => {
  const waiting = useDocument(countPath({ endpointId: id, status: 'pending' }), { read: readCount, pulse })
  return (
    <Card title="How it is read" aria-busy={waiting.kind === 'loading'}>
      <p className="card-note" data-testid="reader">
        {waiting.kind === 'failed' && waiting.why}
        {waiting.kind === 'loading' && 'Counting what waits…'}
        {waiting.kind === 'found' &&
          (waiting.value.oldestAt === null ? (
            'Nothing waits: your program has got everything that there is.'
          ) : (
            <>
              {plural(waiting.value.total, 'delivery', 'deliveries')} not read yet, the oldest made{' '}
              <Ago time={waiting.value.oldestAt} />.
            </>
          ))}
      </p>
      <TextBox text={readLine(window.location.origin, id)} what="line" testId="read-line" />
      <ul className="points">
        <li>
          An answer has up to 250 <code>events</code>, each with the headers and the body that a receiver
          would get, and <code>next</code>.
        </li>
        <li>
          Keep <code>next</code> once the events are worked off, and ask with it as <code>NEXT</code>. Without
          it you begin with the oldest. Reading takes nothing away.
        </li>
        <li>
          <code>wait</code>, up to 30 seconds, holds an empty answer back until something comes.
        </li>
        <li>Events wait for 31 days.</li>
      </ul>
    </Card>
  )
}

/** A line for a shell that reads what comes after `NEXT`. */
const readLine = (origin: string, id: string): string =>
  `curl -s "${origin}${endpoints.at(id)}/events?wait=20&after=$NEXT" \\\n  -H "Authorization: Bearer $PHAROS_API_KEY"`
