// Whether a text can be sent as a credential at all. What the service thinks of it, only the service knows.

/** A header value must be plain text: anything else would fail as a network error and send people looking at their cable. */
export const isKeyText = (text: string): boolean => /^[\x21-\x7e]{1,512}$/.test(text)

/** Enough to tell one key from another, not enough to use it. */
export const maskedKey = (key: string): string => (key.length > 16 ? `${key.slice(0, 8)}…` : '…')
