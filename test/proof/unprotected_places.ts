// The places of a bundle that a verification without lookups does not protect: a closed list, each with the reason.
import { opReturnOf, readTransaction, transactionId } from '../../shared/proof/bitcoin/transaction.ts'
import { readTxoutproof } from '../../shared/proof/bitcoin/txoutproof.ts'
import { fromHex, toHex } from '../../shared/proof/bytes.ts'
import { decodePath } from '../../shared/proof/merkle.ts'
import type { Change, Undetected } from './bit_flips.ts'

export interface UnprotectedPlace {
  readonly why: string
  readonly covers: (change: Change) => boolean
}

/** In the entries of the bundle names are as we read them, in those of a key event as they are carried. */
const ENTRY = /^(?:signingKeyEvent\.)?commitments\.\d+\.(\w+)$/

const UNPROTECTED_PLACES: readonly UnprotectedPlace[] = [
  {
    why: 'only the root of an entry is signed, not where its transaction is said to be: that takes a lookup',
    covers: ({ place, after }) =>
      after !== undefined && /^(network|timestamp|ledger|block_?height)$/i.test(ENTRY.exec(place)?.[1] ?? ''),
  },
  {
    why: 'the transaction of a Stellar entry takes a lookup',
    covers: ({ place, after }) =>
      /^transaction_?hash$/i.test(ENTRY.exec(place)?.[1] ?? '') && typeof after === 'string',
  },
  {
    why: 'of an entry all but chain, root and path may be missing',
    covers: ({ place, after }) =>
      after === undefined && ENTRY.test(place) && !/epoch|chain/.test(ENTRY.exec(place)?.[1] ?? ''),
  },
  {
    why: 'letter case and witness data of a Bitcoin transaction are not in its id',
    covers: (change) =>
      /raw_?transaction$/i.test(change.place) &&
      sameAfter(change, (hex) => {
        const transaction = readTransaction(fromHex(hex.toLowerCase()))
        return transactionId(transaction) + toHex(opReturnOf(transaction) ?? new Uint8Array())
      }),
  },
  {
    why: 'in a txoutproof letter case, unused flags, marks of other transactions and all of the header but its root and time are not compared with anything, and on regtest every other header has work enough',
    covers: (change) =>
      /txoutproof$/.test(change.place) &&
      sameAfter(change, (hex) => {
        const { fields, isValid } = readTxoutproof(fromHex(hex.toLowerCase()))
        return `${isValid} ${toHex(fields.merkleRoot)} ${fields.time}`
      }),
  },
  {
    why: 'the unused side bits of a path are ignored',
    covers: (change) =>
      /(epoch_?proof|inclusionproof)$/i.test(change.place) &&
      sameAfter(change, (path) => JSON.stringify(decodePath(path))),
  },
  {
    why: 'witnesses may be left out, one or all',
    covers: ({ place, after }) => after === undefined && /^subject\.witnesses(\.\w+)?$/.test(place),
  },
  {
    why: 'the key event may be left out, or its commitments',
    covers: ({ place, after }) => after === undefined && /^signingKeyEvent(\.commitments)?$/.test(place),
  },
  {
    why: 'members nobody listed say nothing',
    covers: ({ place, before }) =>
      before === undefined &&
      /^(subject\.witnesses|signingKeyEvent|signingKeyEvent\.commitments\.\d+)\.[^.]*(\.[^.]*)?$/.test(place),
  },
]

function sameAfter({ before, after }: Change, meaning: (text: string) => string): boolean {
  return typeof before === 'string' && typeof after === 'string' && meaning(before) === meaning(after)
}

/** The flips that changed a place which is not on the list. */
export function unlisted(undetected: readonly Undetected[]): Undetected[] {
  return undetected.filter(({ changes }) =>
    changes.some((change) => !UNPROTECTED_PLACES.some(({ covers }) => covers(change))),
  )
}

/** What is on the list without need. */
export function unused(undetected: readonly Undetected[]): string[] {
  const changes = undetected.flatMap((flip) => flip.changes)
  return UNPROTECTED_PLACES.filter(({ covers }) => !changes.some(covers)).map(({ why }) => why)
}
