// A block of the ledger: a Merkle root over its subjects, linked to the block before it, and signed.
import { RELATIONS } from '../../store/database.ts'
import { type LegibleRow, legibleRow, type PlainRow } from '../../store/row_reader.ts'

export const BLOCK_STATES = ['finalized', 'committed'] as const

/** Genesis has height 0 and names itself as its predecessor. `metadata` is canonical JSON text. */
export type Block = LegibleRow<PlainRow<typeof RELATIONS.blocks>>

export const blockOf = legibleRow(RELATIONS.blocks)
