// How long everything that the authorization server issues is valid, in seconds.
import type { RefreshToken, Session } from 'oidc-provider'

const MINUTE = 60
const DAY = 86_400

export const LIFETIMES = {
  code: 60,
  accessToken: 15 * MINUTE,
  /** From its last use, and from the first token of its family. */
  refreshToken: { idle: 30 * DAY, whole: 180 * DAY },
  /** From the sign-in. */
  session: 14 * DAY,
  /** From the newest sign-in in the browser. Browsers keep no cookie for longer. */
  devices: 400 * DAY,
  /** The time that a person has for sign-in and consent. */
  interaction: 30 * MINUTE,
} as const

const seconds = (): number => Math.floor(Date.now() / 1_000)

/** At least a second, because the library accepts nothing less. */
export const refreshTokenSeconds = (token: RefreshToken): number => {
  const { idle, whole } = LIFETIMES.refreshToken
  return Math.max(1, Math.min(idle, whole - token.totalLifetime()))
}

/** A session ends this long after the sign-in, however much it is used. */
export const sessionSeconds = ({ loginTs }: Pick<Session, 'loginTs'>): number =>
  Math.max(1, LIFETIMES.session - (seconds() - (loginTs ?? seconds())))
