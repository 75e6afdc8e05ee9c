// `pharos listen`: the events of one's items, forwarded to a receiver on this computer that nobody reaches from outside.
import { type ClientCommand, type Surroundings, textOption } from '../../../shared/cli/command.ts'
import { isAddress } from '../../../shared/cli/get_bytes.ts'
import { endless } from '../../../shared/cli/interrupt.ts'
import { Complaint, type ExitCode } from '../../../shared/cli/terminal.ts'
import { type EventName, eventsOf, isEventOf } from '../../../shared/wire/webhook_events.ts'
import { SERVICE_OPTIONS, type Service, serviceFrom } from '../ask/ask_service.ts'
import { going } from '../ask/patience.ts'
import { JSON_OPTION, sinceTime } from '../read/rows.ts'
import { keepForwarding, type Place, placeFile, readPlace, writePlace } from './keep_forwarding.ts'
import { newSecret, type PullEndpoint, pullEndpoint, pullPage } from './pull_endpoint.ts'

const EVENTS_OF_ITEMS = eventsOf('item')

export const listen: ClientCommand = {
  usage: '--forward-to <address> [--events <names>] [--since <time>] | --print-secret',
  meaning: 'forwards the events of your items to a receiver on this computer',
  help: `
For a receiver of webhooks that nobody reaches from outside, such as one that is being written. From its first run on the
service keeps the events, for 31 days, and this command fetches them: what happens while it does not run, or while the
computer sleeps, comes when it is there again. What is sent again in the console, or with api, comes again.

Each event arrives as a webhook would, with its headers and its signature, and the same bytes. They come one after the
other. A receiver that does not answer, or answers 429, 502, 503 or 504, gets the event again until it takes it; every
other answer counts as its answer. After an interruption an event may come twice, with the same webhook-id.

It makes one endpoint for this computer, called "pharos listen on …" in the console, and finds it again. It goes on
where it was, or with a new receiver from now on.

--print-secret makes a new signing secret, prints it, and ends. The one before signs beside it for a day.

"trigger item.created" sends a sample.`,
  options: {
    'forward-to': { takes: '<address>', meaning: 'such as http://localhost:3000/webhooks' },
    events: { takes: '<names>', meaning: `with commas between: ${EVENTS_OF_ITEMS.join(', ')}; all of them` },
    since: { takes: '<time>', meaning: 'sends again what happened since then' },
    'print-secret': { meaning: 'prints a secret by which its events are signed, and ends' },
    ...JSON_OPTION,
    ...SERVICE_OPTIONS,
  },
  exits: {
    0: 'the secret is printed, or nobody reads its output any more',
    1: 'the service said no',
    4: 'sign in first',
  },
  run: async (surroundings, words) => {
    const { terminal, env, values } = surroundings
    if (words.length > 0) throw new Complaint('It takes options only.')
    const events = eventsIn(textOption(values, 'events'))
    const address = textOption(values, 'forward-to')
    if (values['print-secret'] === true) return printSecret(surroundings, events)
    if (address === undefined) throw new Complaint('Name a receiver with --forward-to.')
    const to = receiverAt(address)
    const since = textOption(values, 'since')
    const sinceMs = since === undefined ? undefined : Date.parse(sinceTime(since))
    const found = await serviceFrom(surroundings)
    return endless(async (stopped) => {
      const service = { ...found, signal: stopped }
      const endpoint = await pullEndpoint(surroundings, service, events)
      const path = placeFile(env, endpoint.id, to)
      const place = sinceMs === undefined ? await placeOf(service, endpoint, path) : NOWHERE
      await keepForwarding({
        ...going(terminal, stopped),
        ...{ service, endpointId: endpoint.id, events: new Set(events), to, path, place, sinceMs },
        isJson: values.json === true,
      })
    })
  },
}

const NOWHERE: Place = { after: '', forwarded: [] }

/** @throws Complaint */
function receiverAt(text: string): URL {
  if (isAddress(text) && URL.canParse(text)) return new URL(text)
  throw new Complaint(`${text} is not the address of a receiver.`, {
    advice: 'Such as --forward-to http://localhost:3000/webhooks',
  })
}

/** @throws Complaint for a name that is none of an item's events */
function eventsIn(text: string | undefined): readonly EventName[] {
  if (text === undefined) return EVENTS_OF_ITEMS
  const names = text.split(',').map((name) => name.trim())
  const known = names.filter((name) => isEventOf('item', name))
  const wrong = names.find((name) => !isEventOf('item', name))
  if (wrong === undefined) return [...new Set(known)]
  throw new Complaint(`${wrong === '' ? 'A name' : wrong} is no event of an item.`, {
    advice: `Events: ${EVENTS_OF_ITEMS.join(', ')}.`,
  })
}

async function printSecret(surroundings: Surroundings, events: readonly EventName[]): Promise<ExitCode> {
  const service = await serviceFrom(surroundings)
  const { id, secret } = await pullEndpoint(surroundings, service, events)
  surroundings.terminal.say(secret ?? (await newSecret(service, id)))
  return 0
}

/**
 * Where this receiver was, or behind all that waits in an endpoint that it has not been told of before. That is
 * remembered at once: what comes from now on is for this receiver, even if nobody runs when it comes.
 */
async function placeOf(service: Service, { id, isNew }: PullEndpoint, path: string): Promise<Place> {
  const held = await readPlace(path)
  if (held !== undefined) return held
  const place = isNew ? NOWHERE : { after: await presentEnd(service, id), forwarded: [] }
  await writePlace(path, place)
  return place
}

async function presentEnd(service: Service, id: string): Promise<string> {
  for (let after = ''; ; ) {
    const { next } = await pullPage(service, id, { after, waitSeconds: 0 })
    if (next === after) return after
    after = next
  }
}
