// `pharos trigger`: lets the service send a sample, so that a receiver can be tried.
import { type ClientCommand, textOption } from '../../../shared/cli/command.ts'
import { Complaint } from '../../../shared/cli/terminal.ts'
import { EVENT_NAMES, isEvent } from '../../../shared/wire/webhook_events.ts'
import { SERVICE_OPTIONS, serviceFrom } from '../ask/ask_service.ts'
import { JSON_OPTION, jsonLine } from '../read/rows.ts'
import { ownEndpoint, requestSample } from './pull_endpoint.ts'

export const trigger: ClientCommand = {
  usage: '<event> [--endpoint <id>]',
  meaning: 'lets the service send a sample of an event',
  help: `
The sample has "test": true in its data, and comes to "listen" on this computer, or to another endpoint of yours.
Events: ${EVENT_NAMES.join(', ')}.`,
  options: {
    endpoint: { takes: '<id>', meaning: 'of a webhook endpoint; that of "listen" on this computer' },
    ...JSON_OPTION,
    ...SERVICE_OPTIONS,
  },
  exits: { 0: 'the service has taken it', 1: 'the service said no', 4: 'sign in first' },
  run: async (surroundings, [event = '', ...more]) => {
    const { self, terminal, values } = surroundings
    if (!isEvent(event) || more.length > 0)
      throw new Complaint(event === '' ? 'Name one event.' : `${event} is no event.`, {
        advice: `Events: ${EVENT_NAMES.join(', ')}.`,
      })
    const service = await serviceFrom(surroundings)
    const endpointId = textOption(values, 'endpoint') ?? (await ownEndpoint(service))?.id
    if (endpointId === undefined)
      throw new Complaint('Nothing listens on this computer yet.', {
        exitCode: 1,
        advice: `${self} listen --forward-to http://localhost:3000/webhooks`,
      })
    const id = await requestSample(service, encodeURIComponent(endpointId), event)
    terminal.say(
      values.json === true
        ? jsonLine({ type: 'webhook_delivery', id, event_type: event, endpoint_id: endpointId })
        : `A sample of ${event} is delivered as ${id}.`,
    )
    return 0
  },
}
