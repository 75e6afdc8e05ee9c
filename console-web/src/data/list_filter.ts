// What filters of lists have in common, in their three forms: in the address, in the request, and as a judgement on rows.
import { type Field, textOrNull } from './shape.ts'

type Filter = Readonly<Record<string, string | null>>

export const isNarrowed = (filter: Filter): boolean => Object.values(filter).some((value) => value !== null)

/** For the shape of a filter: what the address says. */
export const saidIn = (search: string): object => Object.fromEntries(new URLSearchParams(search))

/** The path with what is not null. */
export const pathWith = (path: string, said: Filter): string => {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(said)) if (value !== null) query.set(name, value)
  return query.size === 0 ? path : `${path}?${query}`
}

/** At most so many characters of a text. Null when nothing is left. */
export const word =
  (longest: number): Field<string | null> =>
  (value) =>
    textOrNull(value)?.replaceAll('\0', '').slice(0, longest) || null

const FORM = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d\.\d{3})?$/

/** In UTC: a minute in the form of a time field, `2027-01-01T00:01`, or one millisecond, `2027-01-01T00:01:07.120`. */
export const minute: Field<string | null> = (value) => {
  const text = textOrNull(value)
  return text !== null && FORM.test(text) && !Number.isNaN(Date.parse(`${text}Z`)) ? text : null
}

/** Both are inclusive. */
type Minutes = { readonly from: string | null; readonly to: string | null }

/** The first moment and the one after the last, in the form of the API. */
const momentsOf = ({ from, to }: Minutes) => ({
  from: from && new Date(`${from}Z`).toISOString(),
  until: to && new Date(Date.parse(`${to}Z`) + (FORM.exec(to)?.[1] ? 1 : 60_000)).toISOString(),
})

/** For a request of rows that came in these minutes. */
export const insertedIn = (minutes: Minutes): Filter => {
  const { from, until } = momentsOf(minutes)
  return { 'filter[inserted_at][gte]': from, 'filter[inserted_at][lt]': until }
}

export const isWithin = (minutes: Minutes, time: string): boolean => {
  const { from, until } = momentsOf(minutes)
  return (from === null || time >= from) && (until === null || time < until)
}
