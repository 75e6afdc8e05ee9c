// Where a reader of a pull endpoint is, as the text that it keeps. What it says concerns that reader alone, so it is not
// authenticated.
import type { CommitPlace } from '../../../store/commit_order.ts'

/** Base64url of a transaction's number and a delivery's id. */
const WRITTEN = /^(\d{1,20})\.([0-9a-f-]{0,36})$/

const MOST_XID = 2n ** 64n - 1n

/** Characters of the longest one. */
export const PLACE_LENGTH = 76

export const pullPlace = Object.freeze({
  /** Before everything that is kept. */
  beginning: { xid: '0', id: '' } as const satisfies CommitPlace,
  write: ({ xid, id }: CommitPlace): string => Buffer.from(`${xid}.${id}`).toString('base64url'),
  /** Undefined for a text that no reader was given. */
  read: (text: string): CommitPlace | undefined => {
    if (text.length > PLACE_LENGTH) return undefined
    const [, xid, id] = WRITTEN.exec(Buffer.from(text, 'base64url').toString('latin1')) ?? []
    if (xid === undefined || id === undefined || BigInt(xid) > MOST_XID) return undefined
    return { xid, id }
  },
})
