// One-time links: what they are for, and how long they work.
import { refuse } from '../../kernel/refusal.ts'
import type { Attempts } from './sign_in.ts'

/**
 * Every kind of link, with the page that takes its token. A link ends with its first use, when it is withdrawn, when a
 * newer one is made, or in time.
 */
export const ONE_TIME_LINKS = {
  /** Makes the person who accepts it a member of a team. */
  invitation: { path: '/oauth/invitation', validHours: 7 * 24 },
  /** Lets the person who opens it choose the password of an account. */
  password_reset: { path: '/oauth/password-reset', validHours: 24 },
} as const

export type LinkKind = keyof typeof ONE_TIME_LINKS

/**
 * Browsers never send the part after `#` to a server, so no request log contains the token.
 * e.g. `https://pharos.example/oauth/invitation#token=…`
 */
export const oneTimeLink = (base: string, kind: LinkKind, token: string): string =>
  `${base}${ONE_TIME_LINKS[kind].path}#token=${token}`

/**
 * What a link leads to. Only tries of links that there are not are charged, so that nobody who shares the address of
 * whoever holds a link can keep it from working. Nobody guesses one.
 * @throws not_found, rate_limited
 */
export async function orWrongLink<Found>(
  { attempts }: { readonly attempts: Pick<Attempts, 'wrongLink'> },
  address: string,
  looking: Promise<Found | undefined>,
): Promise<Found> {
  const found = await looking
  if (found !== undefined) return found
  await attempts.wrongLink(address)
  throw refuse('not_found', { detail: 'no such link' })
}
