// How many of a page's records an answer holds: each is written once, with all that it leads to, until the room ends.
import { setImmediate as breathe } from 'node:timers/promises'
import type { Room } from '../../contract/row_columns.ts'
import { JsonText } from '../../kernel/json_text.ts'
import type { Shown } from './gather_records.ts'

export interface Fitting {
  /** How many records of the page there is room for. */
  readonly count: number
  /** Their texts, and those of everything they lead to beside them, in order. */
  readonly data: readonly string[]
  readonly included: readonly string[]
}

/** So much text is written before others get a turn: about a millisecond. */
const BYTES_PER_TURN = 262_144

/**
 * @param records in the order in which they are given up last
 * @param room whole: what an answer holds
 */
export async function fitRecords(records: readonly Shown[], room: Readonly<Room>): Promise<Fitting> {
  const texts = new Map<Shown, string>()
  let { bytes, rows } = room
  let sinceTurn = 0
  let count = 0
  for (const record of records) {
    const fresh = reachable(record, texts)
    if (fresh === undefined) break
    const added: [Shown, string][] = []
    for (const one of fresh) {
      const text = textOf(one)
      const size = Buffer.byteLength(text) + 1
      bytes -= size
      sinceTurn += size
      added.push([one, text])
      if (bytes < 0) break
      if (sinceTurn > BYTES_PER_TURN) {
        sinceTurn = 0
        await breathe()
      }
    }
    rows -= fresh.filter((one) => one !== record).length
    if (bytes < 0 || rows < 0) break
    for (const [one, text] of added) texts.set(one, text)
    count += 1
  }
  const served = records.slice(0, count)
  const primary = new Set(served)
  const written = (one: Shown): string[] => {
    const text = texts.get(one)
    return text === undefined ? [] : [text]
  }
  return {
    count,
    data: served.flatMap(written),
    included: [...texts].flatMap(([one, text]) => (primary.has(one) ? [] : [text])),
  }
}

/** The record and what it leads to, as far as it is not written yet; undefined when something of it is missing. */
function reachable(record: Shown, written: ReadonlyMap<Shown, string>): readonly Shown[] | undefined {
  const found = new Set([record])
  for (const one of found) {
    if (one.isIncomplete) return undefined
    for (const next of one.leadsTo) if (!written.has(next)) found.add(next)
  }
  return [...found].filter((one) => !written.has(one))
}

/** A resource object. What is JSON text already is put in as it stands. */
function textOf({ type, id, attributes, relationships }: Shown): string {
  const members = Object.entries(attributes).map(
    ([name, value]) =>
      `${JSON.stringify(name)}:${value instanceof JsonText ? value.text : (JSON.stringify(value) ?? 'null')}`,
  )
  return `{"type":${JSON.stringify(type)},"id":${JSON.stringify(id)},"attributes":{${members.join(',')}},"relationships":${JSON.stringify(relationships)},"links":{},"meta":{}}`
}
