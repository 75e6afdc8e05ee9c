// The installation that is checked: its settings, as far as they can be read, and what they lead to.
import type { EntitySchema } from '@mikro-orm/core'
import type { ChainChoice } from '../domain/commitments/chains/configured_chains.ts'
import type { SourceAt } from '../domain/entropy/source.ts'
import type { MasterKey } from '../kernel/sealed.ts'

export interface Examined {
  /** The mistakes in the settings. When there are any, nothing else is known. */
  readonly mistakes: readonly string[]
  readonly settings?: InstalledSettings
  /** Values that no line shows. */
  readonly secrets: readonly string[]
}

export interface InstalledSettings {
  readonly version: string
  readonly host: string
  readonly port: number
  /** The public origin. */
  readonly base: string
  readonly metricsToken: string | undefined
  readonly dataDir: string
  /** The name of the setting that the database comes from, and its address. */
  readonly database: () => Promise<{ readonly setting: string; readonly url: string }>
  readonly isEmbedded: boolean
  readonly listenDatabaseUrl: string | undefined
  /** A replica that answers reads. */
  readonly readDatabaseUrl: string | undefined
  /** Database connections of one server. */
  readonly connections: number
  readonly masterKey: (url: string) => Promise<MasterKey>
  readonly blockIntervalMs: number
  readonly entropy: readonly SourceAt[]
  readonly chains: readonly ChainChoice[]
  readonly entities: readonly EntitySchema[]
}
