// Sends all failed deliveries since a time again, after an outage of the receiver.
import './webhooks.css'
import { type FormEvent, useState } from 'react'
import { useConsole } from '../data/console_context.ts'
import { numberAt, objectAt, textAt } from '../data/json_object.ts'
import { useAsked } from '../data/use_asked.ts'
import { FormField } from '../ui/form/form_field.tsx'
import { count } from '../ui/format_count.ts'
import { type Endpoint, endpointPath } from './endpoint.ts'

const DAY_MS = 86_400_000

export const RecoverForm = ({ endpoint }: { endpoint: Endpoint }) => {
  const { api } = useConsole()
  const { state, ask } = useAsked()
  const [since, setSince] = useState(() => new Date(Date.now() - DAY_MS).toISOString().slice(0, 16))
  const [recovered, setRecovered] = useState<number | null>(null)
  /** The time up to which the service has sent deliveries again. The next request continues there. */
  const [goOn, setGoOn] = useState<string | null>(null)
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    setRecovered(null)
    ask(async (signal) => {
      const body = { data: { since: goOn ?? `${since.slice(0, 16)}:00.000Z` } }
      const answer = await api.post(`${endpointPath(endpoint.id)}/recover`, body, { signal })
      const result = objectAt(answer, 'result')
      setRecovered(numberAt(result, 'count') ?? 0)
      setGoOn(textAt(result, 'next_since'))
    })
  }
  return (
    <form onSubmit={submit} className="recover">
      <FormField label="Everything lost since (UTC)">
        {(field) => (
          <input
            {...field}
            type="datetime-local"
            required
            data-testid="recover-since"
            value={since}
            onChange={({ target }) => {
              setSince(target.value)
              setGoOn(null)
            }}
          />
        )}
      </FormField>
      <button
        type="submit"
        className="button"
        data-testid="recover"
        disabled={state.kind === 'asking' || since === ''}
      >
        {state.kind === 'asking' ? 'Sending…' : goOn === null ? 'Send again' : 'Go on'}
      </button>
      <p role="status" data-testid="recover-outcome">
        {state.kind === 'failed' && <span className="problem">{state.why}</span>}
        {recovered !== null && recoveredWords(recovered)}
        {goOn !== null && ' There is more: go on.'}
      </p>
    </form>
  )
}

const recoveredWords = (deliveries: number): string => {
  if (deliveries === 0) return 'Nothing was lost since then, or it was sent again already.'
  return deliveries === 1 ? '1 delivery goes out again.' : `${count(deliveries)} deliveries go out again.`
}
