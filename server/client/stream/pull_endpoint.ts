// The pull endpoint of this computer, which `listen` reads. It is made once, and found again by its description.
import { hostname } from 'node:os'
import { join } from 'node:path'
import type { Surroundings } from '../../../shared/cli/command.ts'
import { Complaint } from '../../../shared/cli/terminal.ts'
import { isJsonObject, type JsonValue, memberAt, textAt } from '../../../shared/proof/json_value.ts'
import type { EventName } from '../../../shared/wire/webhook_events.ts'
import { askBytes, askService, postTo, type Service } from '../ask/ask_service.ts'
import { configFolder, quoted } from '../files.ts'
import { LARGEST_PAGE, type ListedRow, queryOf, readListPage } from '../read/rows.ts'
import { inTurn } from '../turn.ts'

const PATH = '/api/json/webhook-endpoints'

/** Names the endpoint for people, too, in the console. */
const description = (): string => `pharos listen on ${hostname()}`.slice(0, 200)

export interface PullEndpoint {
  readonly id: string
  /** Whether it was made just now, so that nothing waits in it. */
  readonly isNew: boolean
  /** By which its deliveries are signed. The service shows it when it makes the endpoint, and never again. */
  readonly secret: string | undefined
}

const SWITCHED_ON = ['data[type]=webhook_endpoint', 'data[attributes][enabled]=true']

/**
 * Of two that begin at the same time one makes it, and the other finds it. Its events become more, never fewer: another
 * `listen` of this computer may want the others.
 * @throws Complaint, also when its owner has switched it off
 */
export const pullEndpoint = (
  { self, env }: Surroundings,
  service: Service,
  events: readonly EventName[],
): Promise<PullEndpoint> =>
  inTurn(join(configFolder(env), 'turns', 'listen'), async () => {
    const found = await ownEndpoint(service)
    if (found !== undefined) return hearing(self, service, found, events)
    const made = await makeEndpoint(service, events)
    // A computer of the same name may have made one too, such as a container: it has its turns in another folder.
    const oldest = await ownEndpoint(service)
    if (oldest === undefined || oldest.id === made.id) return made
    await askBytes(service, `${PATH}/${made.id}`, { method: 'DELETE' })
    return hearing(self, service, oldest, events)
  })

/** One that is there, with these events among its own. */
async function hearing(
  self: string,
  service: Service,
  { id, enabled, events: own }: ListedRow,
  events: readonly EventName[],
): Promise<PullEndpoint> {
  if (enabled !== true)
    throw new Complaint(`The endpoint of this computer is switched off: ${id}.`, {
      exitCode: 1,
      advice: `To switch it on: ${self} api PATCH webhook-endpoints/${id} ${SWITCHED_ON.map((field) => `--field ${quoted(field)}`).join(' ')} --field 'data[id]=${id}'`,
    })
  const held = Array.isArray(own) ? own : []
  if (events.some((event) => !held.includes(event)))
    await askBytes(service, `${PATH}/${id}`, {
      method: 'PATCH',
      headers: { 'content-type': 'application/vnd.api+json' },
      body: JSON.stringify({
        data: { type: 'webhook_endpoint', id, attributes: { events: [...new Set([...held, ...events])] } },
      }),
    })
  return { id, isNew: false, secret: undefined }
}

/** Undefined when there is none yet. @throws Complaint */
export async function ownEndpoint(service: Service): Promise<ListedRow | undefined> {
  const own = description()
  let path: string | undefined =
    `${PATH}${queryOf({ sort: 'inserted_at', 'page[limit]': String(LARGEST_PAGE) })}`
  while (path !== undefined) {
    const { rows, next } = await readListPage(service, path)
    const found = rows.find((row) => row.kind === 'pull' && row.description === own)
    if (found !== undefined) return found
    path = next
  }
  return undefined
}

async function makeEndpoint(service: Service, events: readonly EventName[]): Promise<PullEndpoint> {
  const attributes = {
    kind: 'pull',
    resource_type: 'item',
    events,
    signing: 'v1',
    description: description(),
  }
  const made = await postTo(service, PATH, { data: { type: 'webhook_endpoint', attributes } })
  const id = textAt(memberAt(made, 'data'), 'id')
  if (id === undefined) throw new Complaint(`${service.url.origin} made an endpoint, and did not say which.`)
  return { id, isNew: true, secret: textAt(memberAt(made, 'meta'), 'signing_secret') }
}

/** A new secret. The one before signs beside it for a day. @throws Complaint */
export async function newSecret(service: Service, id: string): Promise<string> {
  const answer = await postTo(service, `${PATH}/${id}/rotate-secret`, { data: {} })
  const secret = textAt(memberAt(answer, 'result'), 'signing_secret')
  if (secret === undefined) throw new Complaint('Its deliveries are not signed by a secret.', { exitCode: 1 })
  return secret
}

/** The id of the delivery that the sample made. @throws Complaint */
export async function requestSample(service: Service, id: string, event: EventName): Promise<string> {
  const answer = await postTo(service, `${PATH}/${id}/test`, { data: { event } }, true)
  const delivery = textAt(memberAt(answer, 'result'), 'id')
  if (delivery === undefined) throw new Complaint(`${service.url.origin} did not say what it sent.`)
  return delivery
}

export interface ReadEvent {
  /** Of the delivery. */
  readonly id: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** The longest answer has 2 MiB of bodies, and what JSON needs around them. */
const LARGEST_ANSWER_BYTES = 16_777_216
/** What a request takes beside its wait. */
const SLACK_MS = 15_000

/** @param waitSeconds for which the service may hold the answer back while there is nothing */
export async function pullPage(
  service: Service,
  id: string,
  { after, waitSeconds }: { readonly after: string; readonly waitSeconds: number },
) {
  const path = `${PATH}/${id}/events${queryOf({ after, wait: String(waitSeconds) })}`
  const answer = await askService(service, path, {
    ceilings: { bytes: LARGEST_ANSWER_BYTES, milliseconds: waitSeconds * 1_000 + SLACK_MS },
  })
  const [events, next] = [memberAt(answer, 'events'), textAt(answer, 'next')]
  const read = Array.isArray(events) ? events.map(eventOf) : [undefined]
  const known = read.filter((one) => one !== undefined)
  if (next === undefined || known.length < read.length)
    throw new Complaint(`${service.url.origin} answered with something else than events.`)
  return {
    events: known,
    /** The `after` to ask with next. */
    next,
  }
}

export type EventPage = Awaited<ReturnType<typeof pullPage>>

function eventOf(value: JsonValue): ReadEvent | undefined {
  const [id, body, headers] = [textAt(value, 'id'), textAt(value, 'body'), memberAt(value, 'headers')]
  if (id === undefined || body === undefined || !isJsonObject(headers)) return undefined
  const pairs = Object.entries(headers).flatMap(([name, one]) =>
    typeof one === 'string' ? [[name, one] as const] : [],
  )
  return { id, body, headers: Object.fromEntries(pairs) }
}
