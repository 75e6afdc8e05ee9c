// Determines how many of a page's records fit into the answer. Each record is written once,
// with its included records.
import { setImmediate as breathe } from 'node:timers/promises'
import type { Room } from '../../contract/row_columns.ts'
import { objectText } from '../../kernel/json_text.ts'
import type { Shown } from './gather_records.ts'

export interface Fitting {
  /**
   * Takes the records in order until one does not fit, and returns how many it took. After
   * that, no further record fits.
   */
  readonly take: (records: readonly Shown[]) => Promise<number>
  readonly left: () => Room
  /** The JSON of the taken records, and of the records they include, in order. */
  readonly texts: () => { readonly data: readonly string[]; readonly included: readonly string[] }
}

/** Characters of JSON that are written before other requests get processor time: about one millisecond. */
const BYTES_PER_BREATH = 262_144

export function openFitting(room: Readonly<Room>): Fitting {
  const texts = new Map<Shown, string>()
  const taken = new Set<Shown>()
  let { bytes, rows } = room
  let sinceBreath = 0

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
      sinceBreath += text.length
      if (sinceBreath > BYTES_PER_BREATH) {
        sinceBreath = 0
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

/**
 * Returns the record and all records it includes that are not yet written. Undefined when some of them were not read.
 */
function reachable(record: Shown, written: ReadonlyMap<Shown, string>): readonly Shown[] | undefined {
  const found = new Set([record])
  for (const one of found) {
    if (one.isIncomplete) return undefined
    for (const next of one.leadsTo) if (!written.has(next)) found.add(next)
  }
  return [...found].filter((one) => !written.has(one))
}

const textOf = ({ type, id, attributes, relationships }: Shown): string =>
  `{"type":${JSON.stringify(type)},"id":${JSON.stringify(id)},"attributes":${objectText(attributes)},"relationships":${JSON.stringify(relationships)},"links":{},"meta":{}}`
