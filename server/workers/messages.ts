// What the processes of one start tell each other. Only processes that we started ourselves take part.
import type { Snapshot } from '../kernel/metrics.ts'

/** What a worker needs beside the settings. It contains secrets, so it never stands in the environment. */
export interface Beginning {
  /** A number that no other worker of this start ever had. */
  readonly number: number
  readonly databaseUrl: string
  readonly listenDatabaseUrl: string
  readonly masterKeyHex: string
  /** The node of the development chain, which the first process runs. Contains a password. */
  readonly embeddedNode: { readonly rpcUrl: string } | undefined
}

/** Ports on loopback at which the workers take each other's sessions, by the worker's number. */
export type Ports = Readonly<Record<number, number>>

export type ToWorker =
  | { readonly kind: 'begin'; readonly beginning: Beginning }
  | { readonly kind: 'ports'; readonly ports: Ports }
  /** Why the embedded database is away at the moment. */
  | { readonly kind: 'database_trouble'; readonly why?: string }
  | { readonly kind: 'withdraw' }
  | { readonly kind: 'stop' }
  | { readonly kind: 'measure'; readonly id: number }
  /** The answer to `measure_others`. */
  | { readonly kind: 'measured_others'; readonly id: number; readonly snapshots: readonly Snapshot[] }

export type FromWorker =
  /** `port` takes sessions of this worker that reached another one. */
  | { readonly kind: 'ready'; readonly base: string; readonly port: number }
  | { readonly kind: 'failed'; readonly words: string }
  | { readonly kind: 'measured'; readonly id: number; readonly snapshot: Snapshot }
  /** A scrape has reached this worker: it asks for the metrics of all other processes. */
  | { readonly kind: 'measure_others'; readonly id: number }

const isMessage = (given: unknown): given is { readonly kind: string } =>
  typeof given === 'object' && given !== null && 'kind' in given && typeof given.kind === 'string'

const TO_WORKER: ReadonlySet<string> = new Set<ToWorker['kind']>([
  'begin',
  'ports',
  'database_trouble',
  'withdraw',
  'stop',
  'measure',
  'measured_others',
])
const FROM_WORKER: ReadonlySet<string> = new Set<FromWorker['kind']>([
  'ready',
  'failed',
  'measured',
  'measure_others',
])

/** Libraries may send messages of their own. */
export const isToWorker = (given: unknown): given is ToWorker => isMessage(given) && TO_WORKER.has(given.kind)
export const isFromWorker = (given: unknown): given is FromWorker =>
  isMessage(given) && FROM_WORKER.has(given.kind)
