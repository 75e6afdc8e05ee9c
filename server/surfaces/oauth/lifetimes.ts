// How long everything that the authorization server issues is valid, in seconds.
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
