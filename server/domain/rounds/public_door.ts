// The ways by which those without an account reach rounds. Which of them are open is one setting.

/**
 * `stamp`: receipts of our own. `calendar`: what the OpenTimestamps clients speak. `tsa`: tokens of a time-stamp
 * authority (RFC 3161).
 */
export const PUBLIC_DOORS = ['stamp', 'calendar', 'tsa'] as const

export type PublicDoor = (typeof PUBLIC_DOORS)[number]
