// From where a replay is to begin, or to go on, as the text that its caller gives.
import { boundedText } from '../../contract/bounds.ts'
import { takenKind } from '../../contract/kind.ts'
import { storableMs } from '../../contract/stored_form.ts'
import type { Rest } from '../../domain/webhooks/deliveries/replay.ts'

/** e.g. `2026-11-20T18:30:00.000Z/2026-11-20T19:00:00.000Z`, an interval of ISO 8601. */
export const writeRest = ({ from, until }: Rest): string => `${from.toISOString()}/${until.toISOString()}`

/** Characters. Longer than any two times with useful digits. */
const LONGEST = 129

/** A time, or the rest of a range as an answer gave it. */
export const replayFrom = () =>
  takenKind(
    'replay_from',
    'String',
    boundedText({ max: LONGEST }).refine((text) => {
      const times = text.split('/')
      return times.length <= 2 && times.every((time) => storableMs(time) !== undefined)
    }, 'must be an ISO 8601 time with an offset, or the next_from of an answer'),
    { isPlain: true, example: '2026-11-20T18:00:00.000Z' },
  )

/**
 * What is to be looked at. It ends where the first call ended it, so that nothing which was made since is in it.
 * @param from of the kind `replayFrom`
 */
export function restOf(from: string, until: string): Rest {
  const [begin = '', end = until] = from.split('/')
  return { from: new Date(begin), until: new Date(Math.min(Date.parse(end), Date.parse(until))) }
}
