// Every column with sealed values: whose rows they are, and the place to which each value is bound. A column whose name
// begins with `sealed_` and that is missing here does not compile.
import { bytes, type Column, int4, text } from './columns.ts'
import type { TABLES } from './database.ts'

type Tables = typeof TABLES

/** The name of a column with sealed values. */
export type Sealed = `sealed_${string}`

export const isSealed = (column: string): column is Sealed => column.startsWith('sealed_')

export type SealedName = {
  [Table in keyof Tables]: `${Table}.${Extract<keyof Tables[Table], Sealed>}`
}[keyof Tables]

export type RowId = string | number | Uint8Array

interface SealedColumn {
  /** The column that identifies a row. */
  readonly id: string
  readonly kind: Column<RowId>
  /** The place of a value, from the text of its row's id. A value that is copied to another place does not open. */
  readonly place: (id: string) => string
}

export const SEALED_COLUMNS = Object.freeze({
  'signing_keys.sealed_seed': { id: 'key_id', kind: bytes, place: (id) => `signing_keys/${id}` },
  'log_keys.sealed_seed': { id: 'number', kind: int4, place: (id) => `log_keys/${id}` },
  'webhook_endpoints.sealed_auth_secret': {
    id: 'id',
    kind: text,
    place: (id) => `webhook_endpoints ${id} auth_secret`,
  },
  'webhook_endpoints.sealed_custom_headers': {
    id: 'id',
    kind: text,
    place: (id) => `webhook_endpoints ${id} custom_headers`,
  },
} satisfies Record<SealedName, SealedColumn>)

/** All of them, for those who go through everything that is sealed. */
export const sealedColumns: readonly WalkedColumn[] = Object.entries<SealedColumn>(SEALED_COLUMNS).map(
  ([name, { id, kind, place }]) => {
    const [table = '', column = ''] = name.split('.')
    return { table, column, id, kind, placeOf: (row: RowId) => place(idText(row)) }
  },
)

export interface WalkedColumn {
  readonly table: string
  readonly column: string
  readonly id: string
  readonly kind: Column<RowId>
  readonly placeOf: (row: RowId) => string
}

/** As people write it. */
export const idText = (id: RowId): string =>
  id instanceof Uint8Array ? Buffer.from(id).toString('hex') : String(id)

export const placeOf = (name: SealedName, id: RowId): string => SEALED_COLUMNS[name].place(idText(id))
