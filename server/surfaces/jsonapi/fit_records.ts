// Determines how many of a page's records fit into the answer. Each record is written once,
// with its included records.
import type { Context } from '../../catalog/context.ts'
import type { Room } from '../../contract/row_columns.ts'
import type { ShownRecord } from './gather_records.ts'

export function openFitting(context: Context, room: Readonly<Room>) {
  const taken = new Set<ShownRecord>()
  const written: ShownRecord[] = []
  const space = openSpace(room.bytes)
  let { rows } = room

  /**
   * Takes the records in order until one does not fit, and returns how many it took. After
   * that, no further record fits.
   */
  const take = async (records: readonly ShownRecord[]): Promise<number> => {
    let count = 0
    for (const record of records) {
      const fresh = unwritten(record)
      if (fresh === undefined) return count
      const texts: string[] = []
      let size = 0
      for (const { row, linkage, write } of fresh) {
        const text = write(row, context, linkage)
        texts.push(text)
        size += text.length
        if (size > room.bytes) return count
        const pause = context.yieldToEventLoop()
        if (pause !== undefined) await pause
      }
      const related = fresh.length - (record.text === undefined ? 1 : 0)
      if (related > rows || !space.take(texts)) return count
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
    left: (): Room => ({ bytes: space.left(), rows }),
    /** The JSON of the taken records, and of the records they include, in order. */
    texts: () => ({
      data: [...taken].map(textOf),
      included: written.length === taken.size ? [] : written.filter((one) => !taken.has(one)).map(textOf),
    }),
  })
}

const textOf = ({ text = '' }: ShownRecord): string => text

/** UTF-8 has at most this many bytes for a UTF-16 unit. */
const MOST_BYTES = 3

/** The bytes of an answer. They are counted only when the most that the texts might have would not fit. */
function openSpace(bytes: number) {
  let counted = 0
  let uncounted: string[] = []
  let most = 0
  const count = (): void => {
    counted += bytesOf(uncounted)
    uncounted = []
    most = 0
  }
  return {
    /** Returns false when the texts do not fit. A comma follows each of them. */
    take: (texts: readonly string[]): boolean => {
      const atMost = texts.reduce((sum, { length }) => sum + MOST_BYTES * length + 1, 0)
      if (counted + most + atMost > bytes) {
        count()
        if (counted + bytesOf(texts) > bytes) return false
      }
      uncounted.push(...texts)
      most += atMost
      return true
    },
    left: (): number => {
      count()
      return bytes - counted
    },
  }
}

const bytesOf = (texts: readonly string[]): number =>
  texts.reduce((sum, text) => sum + Buffer.byteLength(text) + 1, 0)

/**
 * Returns the record and all records it includes that are not yet written. Undefined when some of them were not read.
 */
function unwritten(record: ShownRecord): readonly ShownRecord[] | undefined {
  if (record.leadsTo.length === 0 && !record.isIncomplete) return record.text === undefined ? [record] : []
  const found = new Set([record])
  for (const one of found) {
    if (one.isIncomplete) return undefined
    for (const next of one.leadsTo) if (next.text === undefined) found.add(next)
  }
  return [...found].filter(({ text }) => text === undefined)
}
