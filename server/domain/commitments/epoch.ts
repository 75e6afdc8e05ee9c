// An epoch: consecutive blocks of one public chain's series under one root.
import { RELATIONS } from '../../store/database.ts'
import { type LegibleRow, legibleRow, type PlainRow } from '../../store/row_reader.ts'

export type Epoch = LegibleRow<PlainRow<typeof RELATIONS.epochs>>

export const epochOf = legibleRow(RELATIONS.epochs)
