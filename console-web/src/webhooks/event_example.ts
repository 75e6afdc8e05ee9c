// An example of the request that a receiver gets for an event.
import { EVENTS, type EventName } from '../../../shared/wire/webhook_events.ts'

/** The request as text. */
export const exampleOf = (name: EventName): string =>
  [
    'POST /your/path HTTP/1.1',
    'content-type: application/json',
    'user-agent: pharos-Webhook/1.0',
    'webhook-id: msg_01MB78W7FGY7TZHKNWE7WA3Z57',
    `x-pharos-event: ${name}`,
    'x-pharos-delivery: 01a2ce8e-9320-7630-bb7f-73edc8868b1d',
    'x-pharos-timestamp: 1798761613',
    '',
    JSON.stringify({ type: name, timestamp: 1_798_761_612, data: EVENTS[name].example }, null, 2),
  ].join('\n')
