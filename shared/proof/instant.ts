// A moment as text: the ISO 8601 profile of RFC 3339 section 5.6, uppercase `T` and `Z`.

/**
 * Milliseconds since 1970 of `YYYY-MM-DDTHH:MM:SS[.f…](Z|±HH:MM)`, such as `2027-01-01T00:01:40Z`. Finer
 * fractions are cut off. Undefined for any other text, for days that the calendar does not have, and for leap
 * seconds, which a Date cannot hold.
 */
export function instantMs(text: string): number | undefined {
  const match = INSTANT.exec(text)
  if (match === null) return undefined
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match.slice(1, 7).map(Number)
  const [, , , , , , , fraction = '', sign = '', offsetHour = '0', offsetMinute = '0'] = match
  if (hour > 23 || minute > 59 || second > 59 || Number(offsetHour) > 23 || Number(offsetMinute) > 59)
    return undefined
  const date = new Date(0)
  date.setUTCFullYear(year, month - 1, day) // Date.UTC would read the years 0 to 99 as 1900 to 1999
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return undefined
  const local = date.setUTCHours(hour, minute, second, Number(fraction.slice(0, 3).padEnd(3, '0')))
  const offset = (Number(offsetHour) * 60 + Number(offsetMinute)) * 60_000
  return sign === '-' ? local + offset : local - offset
}

const INSTANT = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:\.(\d+))?(?:Z|([+-])(\d\d):(\d\d))$/
