// A minute in UTC in the form of a time field, `2027-01-01T00:01`, as filters of lists have it.

const FORM = /^\d{4}-\d\d-\d\dT\d\d:\d\d$/

/** Null when it is not one. */
export const readMinute = (text: string | null): string | null =>
  text !== null && FORM.test(text) && !Number.isNaN(Date.parse(`${text}Z`)) ? text : null

/** Its first moment, in the form of the API. */
export const startOfMinute = (minute: string): string => `${minute}:00.000Z`

/** The first moment after it. */
export const endOfMinute = (minute: string): string =>
  new Date(Date.parse(`${minute}Z`) + 60_000).toISOString()
