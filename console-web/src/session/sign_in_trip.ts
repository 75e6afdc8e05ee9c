// The way to the sign-in pages of the service and back: what the page must know again on its return. It lies
// in this tab's storage for that time only, and is bound to the `state` of the request (RFC 6749 section 10.12).
import { drop, keepJson, keptJson } from '../data/kept/browser_storage.ts'
import { called, shape, text } from '../data/shape.ts'

export const RETURN_PATH = '/signed-in'

const readTrip = shape({
  state: text,
  /** Of PKCE, RFC 7636. Only who knows it can exchange the code. */
  verifier: text,
  /** Path, query and fragment of the page to show afterwards. */
  returnTo: called('returnTo', text),
})

type Trip = ReturnType<typeof readTrip>

const NAME = 'pharos.sign_in_trip'

export const keepTrip = (trip: Trip): void => keepJson('tab', NAME, trip)

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
  const trip = keptJson('tab', NAME, readTrip)
  drop('tab', NAME)
  history.replaceState(null, '', trip === null ? '/' : ownPath(trip.returnTo, location.origin))
  return trip === null ? 'stray' : { trip, parameters }
}

/** Leads to no other origin, whatever the text is. */
const ownPath = (text: string, origin: string): string => {
  const url = URL.parse(text, origin)
  return url === null || url.origin !== origin ? '/' : url.pathname + url.search + url.hash
}
