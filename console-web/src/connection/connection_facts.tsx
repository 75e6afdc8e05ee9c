// How the stream reaches this tab, how long an answer takes, and what the clocks say.
import { useConsole } from '../data/console_context.ts'
import { useStore } from '../data/use_store.ts'
import { TextField } from '../ui/fields.tsx'
import { duration, utc } from '../ui/format_time.ts'
import { useNow } from '../ui/use_now.ts'
import { roundTripWords, skewWords, transportWords } from './connection_words.ts'
import { useRoundTrip } from './use_round_trip.ts'

export const ConnectionFactList = () => {
  const { connection, clockOffset } = useConsole()
  const { transport, since, roundTrip, welcome } = useStore(connection.facts)
  const offset = useStore(clockOffset)
  const now = useNow()
  useRoundTrip(connection, since !== null)
  return (
    <dl className="fields stacked" data-testid="connection-facts">
      <TextField name="Transport">{transportWords(transport)}</TextField>
      {since !== null && <TextField name="Connected for">{duration(now - since)}</TextField>}
      <TextField name="Round trip">
        {roundTrip === null ? (
          'Not measured yet'
        ) : (
          <>
            {roundTripWords(roundTrip.ms)}{' '}
            <small>a command and its acknowledgement, {duration(now - roundTrip.at)} ago</small>
          </>
        )}
      </TextField>
      {welcome !== null && (
        <TextField name="Server’s clock">
          {utc(new Date(now + offset).toISOString())} UTC <small>{skewWords(offset)}</small>
        </TextField>
      )}
    </dl>
  )
}
