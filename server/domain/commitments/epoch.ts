// An epoch: consecutive blocks of one public chain's series under one root.
import { RELATIONS } from '../../store/database.ts'
import { type PlainRow, rowReader } from '../../store/row_reader.ts'

export type Epoch = PlainRow<typeof RELATIONS.epochs>

export const epochOf = rowReader(RELATIONS.epochs)
