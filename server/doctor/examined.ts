// The installation that is checked: its settings, as far as they can be read, and what they lead to; and what a check
// finds in it, in plain words.
import type { EntitySchema } from '@mikro-orm/core'
import type { ChainChoice } from '../domain/commitments/chains/configured_chains.ts'
import type { MasterKey } from '../kernel/sealed.ts'
import type { Config } from '../settings/read_settings.ts'

export interface DoctorFinding {
  /** `wrong`: something does not work, or will not. `warning`: it works, and somebody should know. */
  readonly state: 'ok' | 'warning' | 'wrong'
  /** One sentence, without a secret. */
  readonly text: string
  /** What to do. */
  readonly advice?: string
}

export interface Check {
  readonly name: string
  /** May throw: the error's message becomes the finding. */
  readonly run: () => Promise<readonly DoctorFinding[]>
}

export const ok = (text: string): DoctorFinding => ({ state: 'ok', text })
export const warning = (text: string, advice: string): DoctorFinding => ({ state: 'warning', text, advice })
export const wrong = (text: string, advice: string): DoctorFinding => ({ state: 'wrong', text, advice })

/** e.g. `3 min`. Whole units, rounded down. */
export function roughly(ms: number): string {
  const units = [
    [86_400_000, 'd'],
    [3_600_000, 'h'],
    [60_000, 'min'],
    [1_000, 's'],
  ] as const
  const [size, name] = units.find(([each]) => ms >= each) ?? [1, 'ms']
  return `${Math.floor(ms / size)} ${name}`
}

export interface Examined {
  /** The mistakes in the settings. When there are any, nothing else is known. */
  readonly mistakes: readonly string[]
  readonly settings?: InstalledSettings
  /** Values that no line shows. */
  readonly secrets: readonly string[]
}

export interface Reached {
  /** The name of the setting that the address comes from. */
  readonly setting: string
  /** Leads to the database itself, past a pooler. */
  readonly url: string
  /** The addresses of a pooler, one for each purpose. */
  readonly poolerUrl?: string
}

type Settled =
  | 'host'
  | 'port'
  | 'metricsToken'
  | 'dataDir'
  | 'listenDatabaseUrl'
  | 'readDatabaseUrl'
  | 'workers'
  | 'ceilings'
  | 'blockIntervalMs'
  | 'entropy'

export interface InstalledSettings extends Pick<Config, Settled> {
  readonly version: string
  /** The public origin. */
  readonly base: string
  readonly database: () => Promise<Reached>
  readonly isEmbedded: boolean
  /** Database connections of one server, of all its processes together. */
  readonly connections: number
  /** Milliseconds by the clock of this machine. */
  readonly now: () => number
  /** Bytes that are free where a folder is; undefined when there is no such folder. */
  readonly freeBytes: (folder: string) => Promise<number | undefined>
  /** Open files that this process may have. Undefined where it is not known. */
  readonly openFiles: number | undefined
  readonly masterKey: (url: string) => Promise<MasterKey>
  readonly chains: readonly ChainChoice[]
  readonly entities: readonly EntitySchema[]
}
