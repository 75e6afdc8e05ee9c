// The headers of a request as they are shown: those that may carry a secret without their value.

export interface ShownHeader {
  readonly name: string
  /** Null when it is hidden. */
  readonly value: string | null
}

const BOUNDS = { headers: 64, name: 64, value: 256 } as const

/** The service writes these itself. What an owner has added is sealed with the endpoint, and never shown again. */
const OPEN: ReadonlySet<string> = new Set([
  'host',
  'connection',
  'content-length',
  'content-type',
  'user-agent',
  'webhook-id',
  'x-pharos-event',
  'x-pharos-delivery',
  'x-pharos-timestamp',
])

/** @param rawHeaders names and values alternate, as received */
export function shownHeaders(rawHeaders: readonly string[]): ShownHeader[] {
  const shown: ShownHeader[] = []
  for (let at = 0; at + 1 < rawHeaders.length && shown.length < BOUNDS.headers; at += 2) {
    const name = (rawHeaders[at] ?? '').slice(0, BOUNDS.name)
    const value = rawHeaders[at + 1] ?? ''
    const isOpen = OPEN.has(name.toLowerCase()) || isDefault(name, value)
    shown.push({ name, value: isOpen ? value.slice(0, BOUNDS.value) : null })
  }
  return shown
}

/** An owner may set this one to something else. */
const isDefault = (name: string, value: string): boolean =>
  name.toLowerCase() === 'accept-encoding' && value === 'identity'
