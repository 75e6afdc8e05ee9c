// Determines how many of a page's records fit into the answer. Each record is written once,
// with its included records.
import { setImmediate as breathe } from 'node:timers/promises'
import type { Context } from '../../catalog/context.ts'
import type { Room } from '../../contract/row_columns.ts'
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

export function openFitting(context: Context, room: Readonly<Room>): Fitting {
  const taken = new Set<Shown>()
  const written: Shown[] = []
  let { bytes, rows } = room
  let sinceBreath = 0

  const take = async (records: readonly Shown[]): Promise<number> => {
    let count = 0
    for (const record of records) {
      const fresh = unwritten(record)
      if (fresh === undefined) return count
      const texts: string[] = []
      let size = 0
      for (const { row, linkage, write } of fresh) {
        const text = write(row, context, linkage)
        size += Buffer.byteLength(text) + 1
        texts.push(text)
        if (size > bytes) return count
        sinceBreath += text.length
        if (sinceBreath > BYTES_PER_BREATH) {
          sinceBreath = 0
          await breathe()
        }
      }
      const related = fresh.length - (record.text === undefined ? 1 : 0)
      if (related > rows) return count
      bytes -= size
      rows -= related
      for (const [index, one] of fresh.entries()) {
        one.text = texts[index] ?? ''
        written.push(one)
      }
      taken.add(record)
      count += 1
    }
    return count
  }

  return Object.freeze({
    take,
    left: () => ({ bytes, rows }),
    texts: () => ({
      data: [...taken].map(textOf),
      included: written.filter((one) => !taken.has(one)).map(textOf),
    }),
  })
}

const textOf = ({ text = '' }: Shown): string => text

/**
 * Returns the record and all records it includes that are not yet written. Undefined when some of them were not read.
 */
function unwritten(record: Shown): readonly Shown[] | undefined {
  if (record.leadsTo.length === 0 && !record.isIncomplete) return record.text === undefined ? [record] : []
  const found = new Set([record])
  for (const one of found) {
    if (one.isIncomplete) return undefined
    for (const next of one.leadsTo) if (next.text === undefined) found.add(next)
  }
  return [...found].filter(({ text }) => text === undefined)
}
