// A text as one line for a terminal. Texts that people chose may be part of it.

/** Characters that end a line, steer a terminal or hide what is written are shown as a mark. */
export const plainLine = (text: string): string => text.replace(UNSHOWN, '\ufffd')

const UNSHOWN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu
