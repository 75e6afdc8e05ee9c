// The loop of `listen`: asks for what is beyond its place, forwards it event by event in order, and remembers the place in a
// file, so that a restart goes on from there.
// Nothing is kept in memory but one answer of the service, and that is dropped while the receiver does not take it: the
// service is asked for it again, so that its signatures are fresh when it arrives.
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { Complaint, printable } from '../../../shared/cli/terminal.ts'
import { memberAt, textAt } from '../../../shared/proof/json_value.ts'
import { readStrictJson } from '../../../shared/proof/strict_json.ts'
import type { Service } from '../ask/ask_service.ts'
import { backoffMs, type Going, untilAnswered } from '../ask/patience.ts'
import { configFolder, readKept, writeKept } from '../files.ts'
import { jsonLine } from '../read/rows.ts'
import { type Forwarded, forward } from './forward.ts'
import { type EventPage, pullPage, type ReadEvent } from './pull_endpoint.ts'

export interface Listener extends Going {
  readonly service: Service
  readonly endpointId: string
  /** Names of events. Others are passed over. */
  readonly events: ReadonlySet<string>
  readonly to: URL
  readonly isJson: boolean
  /** Of the file that remembers the place. */
  readonly path: string
  readonly place: Place
  /** Of what is kept, what happened before this time is passed over. */
  readonly sinceMs: number | undefined
}

/** The longest that a service holds an answer back. */
const WAIT_SECONDS = 30
/** A service that stops answers at once, so it may be asked again too soon. */
const SHORT_REST_MS = 1_000
/** A receiver that is being written is back soon. */
const LONGEST_PAUSE_MS = 10_000
/** Between two writings of the place within one answer. A crash repeats what was forwarded since. */
const SAVED_EVERY_MS = 1_000

/** Ends only when it is stopped. */
export async function keepForwarding(listener: Listener): Promise<void> {
  const { terminal, stopped, rest, service, endpointId, events, to, path, place, sinceMs } = listener
  let { after } = place
  const forwarded = new Set(place.forwarded)
  let savedAt = performance.now()
  const save = async (): Promise<void> => {
    await writePlace(path, { after, forwarded: [...forwarded] })
    savedAt = performance.now()
  }
  let isReady = false
  let isCatchingUp = sinceMs !== undefined
  const isPassedOver = (event: ReadEvent): boolean => {
    if (isCatchingUp && happenedAt(event) < (sinceMs ?? 0)) return true
    isCatchingUp = false
    return !events.has(event.headers['x-pharos-event'] ?? '')
  }
  try {
    for (let troubles = 0; ; ) {
      const began = performance.now()
      const waitSeconds = isReady && troubles === 0 ? WAIT_SECONDS : 0
      const page: EventPage = await untilAnswered(listener, () =>
        pullPage(service, endpointId, { after, waitSeconds }),
      )
      if (!isReady) tellReady(listener)
      isReady = true
      const why = await forwardAll(page)
      if (why !== undefined) {
        if (troubles === 0)
          terminal.note(printable(`! The receiver ${why}. What it does not take waits, in its order.`))
        await rest(backoffMs(troubles, LONGEST_PAUSE_MS))
        troubles += 1
        continue
      }
      if (troubles > 0) terminal.note('The receiver is back.')
      troubles = 0
      if (page.next === after) {
        isCatchingUp = false
        if (performance.now() - began < SHORT_REST_MS) await rest(SHORT_REST_MS)
        continue
      }
      after = page.next
      forwarded.clear()
      await save()
    }
  } finally {
    if (forwarded.size > 0) await save()
  }

  /** Why the receiver did not take one. Undefined when all are done with. */
  async function forwardAll(page: EventPage): Promise<string | undefined> {
    for (const event of page.events) {
      if (forwarded.has(event.id)) continue
      if (isPassedOver(event)) {
        forwarded.add(event.id)
        continue
      }
      const outcome = await forward(to, event, stopped)
      stopped.throwIfAborted()
      if (outcome.kind === 'down') return outcome.why
      tellForwarded(listener, event, outcome)
      forwarded.add(event.id)
      if (performance.now() - savedAt > SAVED_EVERY_MS) await save()
    }
    return undefined
  }
}

/** The service has answered for the endpoint. */
function tellReady({ terminal, isJson, endpointId, to }: Listener): void {
  if (isJson) terminal.say(jsonLine({ type: 'ready', endpoint_id: endpointId, forward_to: to.href }))
  else terminal.note(`Ready. Events are forwarded to ${printable(to.href)}`)
}

function tellForwarded(
  { terminal: { say, paint }, isJson }: Listener,
  { id, headers }: ReadEvent,
  { status, ms }: Extract<Forwarded, { kind: 'answered' }>,
): void {
  const at = new Date().toISOString()
  const [event, message_id] = [headers['x-pharos-event'] ?? '', headers['webhook-id'] ?? '']
  const tone = status >= 200 && status < 300 ? paint.green : paint.red
  say(
    isJson
      ? jsonLine({ type: 'forwarded', at, event, delivery_id: id, message_id, status, ms })
      : `${at}  ${printable(event)}  ${printable(id)}  ${tone(String(status))}  ${ms} ms`,
  )
}

/** Unix milliseconds: the end of the second that the body names. Now, when it names none. */
function happenedAt({ body }: ReadEvent): number {
  const seconds = memberAt(readStrictJson(body), 'timestamp')
  return typeof seconds === 'number' ? seconds * 1_000 + 999 : Date.now()
}

export interface Place {
  /** The cursor of the service. Empty before everything. */
  readonly after: string
  /** Ids of deliveries beyond it that were forwarded already: at most those of one answer. */
  readonly forwarded: readonly string[]
}

/** One endpoint may be forwarded to several receivers, each with a place of its own. */
export const placeFile = (env: NodeJS.ProcessEnv, endpointId: string, to: URL): string => {
  const receiver = createHash('sha256').update(to.href).digest('hex').slice(0, 16)
  return join(configFolder(env), 'listen', `${endpointId}-${receiver}.json`)
}

/** Undefined before the first run. @throws Complaint when the file is something else */
export const readPlace = (path: string): Promise<Place | undefined> =>
  readKept(
    path,
    (value) => {
      const after = textAt(value, 'after')
      const forwarded = memberAt(value, 'forwarded')
      return after !== undefined && Array.isArray(forwarded)
        ? { after, forwarded: forwarded.filter((id) => typeof id === 'string') }
        : undefined
    },
    new Complaint(`${path} is not the place of a listener.`, {
      advice: 'Move it away to begin anew, with --since for what was missed.',
    }),
  )

/** @throws Complaint */
export const writePlace = (path: string, { after, forwarded }: Place): Promise<void> =>
  writeKept(path, `${JSON.stringify({ version: 1, after, forwarded })}\n`)
