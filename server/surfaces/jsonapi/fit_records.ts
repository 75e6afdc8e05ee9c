// How many of a page's records an answer holds: each is written once, with all that it leads to, until the room ends.
import { setImmediate as breathe } from 'node:timers/promises'
import type { Room } from '../../contract/row_columns.ts'
import { JsonText } from '../../kernel/json_text.ts'
import type { Shown } from './gather_records.ts'

export interface Fitting {
  /** Takes these records, in order, as far as there is room; answers how many. After fewer than all nothing fits. */
  readonly take: (records: readonly Shown[]) => Promise<number>
  readonly left: () => Room
  /** The texts of what was taken, and of everything it leads to beside it, in order. */
  readonly texts: () => { readonly data: readonly string[]; readonly included: readonly string[] }
}

/** So much text is written before others get a turn: about a millisecond. */
const BYTES_PER_TURN = 262_144

export function openFitting(room: Readonly<Room>): Fitting {
  const texts = new Map<Shown, string>()
  const taken = new Set<Shown>()
  let { bytes, rows } = room
  let sinceTurn = 0

  const write = async (record: Shown): Promise<boolean> => {
    const fresh = reachable(record, texts)
    if (fresh === undefined) return false
    const added: [Shown, string][] = []
    let size = 0
    for (const one of fresh) {
      const text = textOf(one)
      size += Buffer.byteLength(text) + 1
      added.push([one, text])
      if (size > bytes) return false
      sinceTurn += text.length
      if (sinceTurn > BYTES_PER_TURN) {
        sinceTurn = 0
        await breathe()
      }
    }
    const related = fresh.filter((one) => one !== record).length
    if (related > rows) return false
    bytes -= size
    rows -= related
    for (const [one, text] of added) texts.set(one, text)
    taken.add(record)
    return true
  }

  return Object.freeze({
    take: async (records: readonly Shown[]) => {
      let count = 0
      for (const record of records) {
        if (!(await write(record))) break
        count += 1
      }
      return count
    },
    left: () => ({ bytes, rows }),
    texts: () => ({
      data: [...taken].flatMap((one) => texts.get(one) ?? []),
      included: [...texts].flatMap(([one, text]) => (taken.has(one) ? [] : [text])),
    }),
  })
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
