// An observation: the value that a public source published at a moment. It is hashed, signed and put into a block
// like an item.
import { ENTROPY_NAMES } from '../../../shared/proof/entropy_names.ts'
import { RELATIONS } from '../../store/database.ts'
import { type LegibleRow, legibleRow, type PlainRow } from '../../store/row_reader.ts'

const [first = ENTROPY_NAMES[0], ...others] = ENTROPY_NAMES.toSorted()

/** In ascending order. */
export const ENTROPY_SOURCES = [first, ...others] as const

export const CAPTURE_METHODS = ['poll'] as const

/** `entropy` and `metadata` are canonical JSON text. */
export type Observation = LegibleRow<PlainRow<typeof RELATIONS.entropy_observations>>

export const observationOf = legibleRow(RELATIONS.entropy_observations)
