// Words of the service as sentences of a page.

export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** The service tells what was refused without a capital and without a full stop. */
export const sentence = (detail: string): string => capital(/[.!?]$/.test(detail) ? detail : `${detail}.`)
