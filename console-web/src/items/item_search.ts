// What is typed into the one field of the list of items: `tag:lease`, `since yesterday` and `before 2026-11-20` are filters of
// their own. All else is the text: a part of a name, a digest or an id.
import { readTime } from '../../../shared/search/read_names.ts'
import type { ItemFilter } from './item_filter.ts'

const TAG = /(?:^|\s)tag:(?:"([^"]+)"|([^\s"]+))/gi
/** A time has at most four words, such as `yesterday at 14:02 UTC`. */
const TIME = /(?:^|\s)(since|before)(?::\s*|\s+)(\S+(?:\s+(?!(?:since|before)\b)\S+){0,3})/gi

/** What the text says of a filter. What cannot be read, such as a time to come, stays text. All times are UTC. */
export const readTyped = (typed: string, now: number): Partial<ItemFilter> => {
  let said: Partial<ItemFilter> = {}
  const untagged = typed.replace(TAG, (_, quoted: string | undefined, plain: string | undefined) => {
    said = { ...said, tag: quoted ?? plain ?? null }
    return ''
  })
  const text = untagged.replace(TIME, (whole, word: string, following: string) => {
    const words = following.split(/\s+/)
    for (let length = words.length; length > 0; length -= 1) {
      const from = readTime(words.slice(0, length).join(' '), now)?.from
      if (from === undefined) continue
      // The last minute of a filter counts.
      const minute = word.toLowerCase() === 'since' ? { from: minuteAt(from) } : { to: minuteAt(from - 1) }
      said = { ...said, ...minute }
      return ['', ...words.slice(length)].join(' ')
    }
    return whole
  })
  return { text: text.trim() || null, whole: null, ...said }
}

const minuteAt = (time: number): string => new Date(time).toISOString().slice(0, 16)
