// How the console writes times, durations, counts and sizes. All times are UTC, as in the records; a tooltip shows local time.

/** ISO 8601, or milliseconds. */
type Moment = string | number

/** Such as 2026-11-20 14:03:00, with milliseconds on request. */
export const utc = (moment: Moment, withMs = false): string => {
  const iso = new Date(moment).toISOString()
  return `${iso.slice(0, 10)} ${iso.slice(11, withMs ? 23 : 19)}`
}

export const utcDay = (moment: Moment): string => new Date(moment).toISOString().slice(0, 10)
export const utcClock = (moment: Moment): string => new Date(moment).toISOString().slice(11, 19)
/** For sentences, e.g. `23 November 2026, 07:04 UTC`, with seconds on request. */
export const dayAndTime = (moment: Moment, withSeconds = false): string =>
  `${IN_SENTENCES.format(new Date(moment))}, ${utcClock(moment).slice(0, withSeconds ? 8 : 5)} UTC`

const IN_SENTENCES = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' })

export const localTime = (timestamp: string): string => LOCAL.format(new Date(timestamp))

// Made once, because making a formatter takes a hundred times as long as using it.
const LOCAL = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'long' })

/**
 * Such as 48 s, 3 min 05 s, 2 h 10 min, 4 d 3 h. Two units; the second is padded, so that the width stays the
 * same while it counts.
 */
export const duration = (ms: number): string => {
  const seconds = Math.max(0, Math.floor(ms / 1_000))
  if (seconds < 60) return `${seconds} s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return `${minutes} min ${pad(seconds % 60)} s`
  const hours = Math.floor(minutes / 60)
  if (hours < 48) return `${hours} h ${pad(minutes % 60)} min`
  return `${Math.floor(hours / 24)} d ${hours % 24} h`
}

/** As `duration`, and exact below ten seconds: 480 ms, 1.5 s. Chains for trials make a block every second or two. */
export const span = (ms: number): string => {
  if (ms < 1_000) return `${Math.round(ms)} ms`
  return ms < 10_000 ? `${(ms / 1_000).toFixed(1)} s` : duration(ms)
}

/** Such as 0:42 or 1:02:03. Rounded up, so that 0:00 appears at the exact moment. */
export const clockface = (ms: number): string => {
  const seconds = Math.max(0, Math.ceil(ms / 1_000))
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return `${minutes}:${pad(seconds % 60)}`
  return `${Math.floor(minutes / 60)}:${pad(minutes % 60)}:${pad(seconds % 60)}`
}

const pad = (number: number): string => String(number).padStart(2, '0')

/** Such as 1,234. */
export const count = (number: number): string => COUNTS.format(number)

const COUNTS = new Intl.NumberFormat('en-US')

/** Such as 1 block, 1,234 blocks. */
export const plural = (number: number, noun: string, nouns = `${noun}s`): string =>
  `${count(number)} ${number === 1 ? noun : nouns}`

/** Such as 512 B, 3.4 kB, 12 MB. Powers of ten, as in file managers. */
export const fileSize = (bytes: number): string => {
  if (bytes < 1_000) return `${bytes} B`
  const step = Math.min(UNITS.length, Math.floor(Math.log10(bytes) / 3))
  const value = bytes / 1_000 ** step
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} ${UNITS[step - 1]}`
}

const UNITS = ['kB', 'MB', 'GB', 'TB'] as const

export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
