// Checks whether a text can be sent as a credential. Only the service can say whether the key is valid.

/** A header value must be plain ASCII. Any other text would fail like a network error and mislead people. */
export const isKeyText = (text: string): boolean => /^[\x21-\x7e]{1,512}$/.test(text)

/** Enough characters to tell keys apart, too few to use one. */
export const maskedKey = (key: string): string => (key.length > 16 ? `${key.slice(0, 8)}…` : '…')
