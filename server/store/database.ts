// All tables and views, for Kysely, and every column with sealed values. A test compares them with the migrated schema.
import { bytes, type Column, type Columns, int4, type KyselyTable, text } from './columns.ts'
import { ACCOUNT_TABLES } from './tables/accounts.ts'
import { COMMITMENT_TABLES } from './tables/commitments.ts'
import { LEDGER_TABLES, LEDGER_VIEWS } from './tables/ledger.ts'
import { LOG_TABLES } from './tables/log.ts'
import { WEBHOOK_TABLES } from './tables/webhooks.ts'

export const TABLES = Object.freeze({
  ...ACCOUNT_TABLES,
  ...LEDGER_TABLES,
  ...COMMITMENT_TABLES,
  ...WEBHOOK_TABLES,
  ...LOG_TABLES,
}) satisfies Readonly<Record<string, Columns>>

/** A view of items with their blocks, and with expired content hidden. Nothing is written to it. */
export const VIEWS = Object.freeze({ ...LEDGER_VIEWS }) satisfies Readonly<Record<string, Columns>>

/** Everything that can be selected from. */
export const RELATIONS = Object.freeze({ ...TABLES, ...VIEWS })

type Relations = typeof RELATIONS

export type RelationName = keyof Relations

export type Database = { readonly [Name in keyof Relations]: KyselyTable<Relations[Name]> }

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

const ofEndpoint = (secret: string): SealedColumn => ({
  id: 'id',
  kind: text,
  place: (id) => `webhook_endpoints ${id} ${secret}`,
})

/**
 * Whose rows they are, and the place to which each value is bound. A column whose name begins with `sealed_` and that is
 * missing here does not compile.
 */
export const SEALED_COLUMNS = Object.freeze({
  'signing_keys.sealed_seed': { id: 'key_id', kind: bytes, place: (id) => `signing_keys/${id}` },
  'log_keys.sealed_seed': { id: 'number', kind: int4, place: (id) => `log_keys/${id}` },
  'webhook_endpoints.sealed_auth_secret': ofEndpoint('auth_secret'),
  'webhook_endpoints.sealed_custom_headers': ofEndpoint('custom_headers'),
  'webhook_endpoints.sealed_signing_keys': ofEndpoint('signing_keys'),
  'time_stamp_certificates.sealed_key': {
    id: 'fingerprint',
    kind: bytes,
    place: (id) => `time_stamp_certificates/${id}`,
  },
} satisfies Record<SealedName, SealedColumn>)

/** All of them, for those who go through everything that is sealed. */
export const sealedColumns = Object.entries<SealedColumn>(SEALED_COLUMNS).map(
  ([name, { id, kind, place }]) => {
    const [table = '', column = ''] = name.split('.')
    return { table, column, id, kind, placeOf: (row: RowId) => place(idText(row)) }
  },
)

export type WalkedColumn = (typeof sealedColumns)[number]

/** As people write it. */
export const idText = (id: RowId): string =>
  id instanceof Uint8Array ? Buffer.from(id).toString('hex') : String(id)

export const placeOf = (name: SealedName, id: RowId): string => SEALED_COLUMNS[name].place(idText(id))
