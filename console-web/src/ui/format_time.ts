// How times and durations are written on this page. Everything is UTC, as in the records; the local time is a tooltip.

/** 2026-11-20 14:03:00 (milliseconds on request). */
export const utc = (timestamp: string, withMs = false): string => {
  const iso = new Date(timestamp).toISOString()
  return `${iso.slice(0, 10)} ${iso.slice(11, withMs ? 23 : 19)}`
}

export const utcDay = (timestamp: string): string => new Date(timestamp).toISOString().slice(0, 10)
export const utcClock = (timestamp: string): string => new Date(timestamp).toISOString().slice(11, 19)
export const localTime = (timestamp: string): string =>
  new Date(timestamp).toLocaleString(undefined, { dateStyle: 'full', timeStyle: 'long' })

/** 48 s, 3 min 05 s, 2 h 10 min, 4 d 3 h: two units, the second padded so that the width holds still while it ticks. */
export const duration = (ms: number): string => {
  const seconds = Math.max(0, Math.floor(ms / 1_000))
  if (seconds < 60) return `${seconds} s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return `${minutes} min ${pad(seconds % 60)} s`
  const hours = Math.floor(minutes / 60)
  if (hours < 48) return `${hours} h ${pad(minutes % 60)} min`
  return `${Math.floor(hours / 24)} d ${hours % 24} h`
}

/** 0:42, 1:02:03: rounded up, so that 0:00 is the moment itself. */
export const clockface = (ms: number): string => {
  const seconds = Math.max(0, Math.ceil(ms / 1_000))
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return `${minutes}:${pad(seconds % 60)}`
  return `${Math.floor(minutes / 60)}:${pad(minutes % 60)}:${pad(seconds % 60)}`
}

export const count = (number: number): string => number.toLocaleString('en-US')

const pad = (number: number): string => String(number).padStart(2, '0')
