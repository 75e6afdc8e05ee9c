// All tables and views, for Kysely. A test compares them with the migrated schema.
import type { Columns, KyselyTable } from './columns.ts'
import { ACCOUNT_TABLES } from './tables/accounts.ts'
import { COMMITMENT_TABLES } from './tables/commitments.ts'
import { DEVELOPMENT_CHAIN_TABLES } from './tables/development_chain.ts'
import { KNOWLEDGE_TABLES } from './tables/knowledge.ts'
import { LEDGER_TABLES, LEDGER_VIEWS } from './tables/ledger.ts'
import { LOG_TABLES } from './tables/log.ts'
import { OAUTH_TABLES } from './tables/oauth.ts'
import { WEBHOOK_TABLES } from './tables/webhooks.ts'

export const TABLES = Object.freeze({
  ...ACCOUNT_TABLES,
  ...LEDGER_TABLES,
  ...KNOWLEDGE_TABLES,
  ...COMMITMENT_TABLES,
  ...DEVELOPMENT_CHAIN_TABLES,
  ...WEBHOOK_TABLES,
  ...OAUTH_TABLES,
  ...LOG_TABLES,
}) satisfies Readonly<Record<string, Columns>>

/** A view of items with their blocks, and with expired content hidden. Nothing is written to it. */
export const VIEWS = Object.freeze({ ...LEDGER_VIEWS }) satisfies Readonly<Record<string, Columns>>

/** Everything that can be selected from. */
export const RELATIONS = Object.freeze({ ...TABLES, ...VIEWS })

type Relations = typeof RELATIONS

export type RelationName = keyof Relations

export type Database = { readonly [Name in keyof Relations]: KyselyTable<Relations[Name]> }
