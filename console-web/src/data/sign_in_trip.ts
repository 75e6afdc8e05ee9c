// The way to the sign-in pages of the service and back: what the page must know again on its return. It lies
// in this tab's storage for that time only, and is bound to the `state` of the request (RFC 6749 section 10.12).
import { drop, keep, kept } from './browser_storage.ts'
import { textAt } from './json_object.ts'

export const RETURN_PATH = '/signed-in'

export type Trip = {
  readonly state: string
  /** Of PKCE, RFC 7636. Only who knows it can exchange the code. */
  readonly verifier: string
  /** Path, query and fragment of the page to show afterwards. */
  readonly returnTo: string
}

const NAME = 'pharos.sign_in_trip'

export const keepTrip = (trip: Trip): void => keep('tab', NAME, JSON.stringify(trip))

/** The trip that began in this tab, once. */
export const takeTrip = (): Trip | null => {
  const text = kept('tab', NAME)
  drop('tab', NAME)
  if (text === null) return null
  try {
    return readTrip(JSON.parse(text))
  } catch {
    return null
  }
}

const readTrip = (value: unknown): Trip | null => {
  const state = textAt(value, 'state')
  const verifier = textAt(value, 'verifier')
  const returnTo = textAt(value, 'returnTo')
  return state === null || verifier === null || returnTo === null ? null : { state, verifier, returnTo }
}

/** The page that the person sees, without the address of a return. */
export const herePath = ({ pathname, search, hash }: Location): string =>
  pathname === RETURN_PATH ? '/' : pathname + search + hash

export type Return = { readonly trip: Trip; readonly parameters: URLSearchParams }

/**
 * What the service sent back, when the page was opened by its redirect. The address bar shows the page from
 * before at once, so that the code is in no history. `stray` when this tab knows of no trip, null at any other
 * address.
 */
export const takeReturn = (
  location: Pick<Location, 'pathname' | 'search' | 'origin'>,
  history: Pick<History, 'replaceState'>,
): Return | 'stray' | null => {
  if (location.pathname !== RETURN_PATH) return null
  const parameters = new URLSearchParams(location.search)
  const trip = takeTrip()
  history.replaceState(null, '', trip === null ? '/' : ownPath(trip.returnTo, location.origin))
  return trip === null ? 'stray' : { trip, parameters }
}

/** Leads to no other origin, whatever the text is. */
const ownPath = (text: string, origin: string): string => {
  const url = URL.parse(text, origin)
  return url === null || url.origin !== origin ? '/' : url.pathname + url.search + url.hash
}
