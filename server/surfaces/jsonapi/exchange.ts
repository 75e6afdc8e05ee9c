// What the steps of the pipeline hand on to each other, and the house they all stand in.
import type Koa from 'koa'
import type { PublishedResource } from '../../catalog/catalog.ts'
import type { Context, Services } from '../../catalog/context.ts'
import type { Accepts, Passed } from '../../contract/attribute.ts'
import type { Related } from '../../contract/load_related.ts'
import type { Caller } from '../../domain/accounts/caller.ts'
import type { CursorCodec } from '../../kernel/keyset.ts'
import type { Problems } from '../../kernel/problems.ts'
import type { Store } from '../../store/open_store.ts'
import type { Admission } from '../http/admission.ts'
import type { Door } from '../http/charge_request.ts'
import type { Drain } from '../http/drain.ts'
import type { Authenticate } from '../http/identify.ts'
import type { Shape } from './read_query.ts'
import type { RoutedOperation, RouteTable } from './routes.ts'

export interface House {
  /** The public origin; known once the server listens. */
  readonly base: () => string
  readonly maxBodyBytes: number
  readonly store: Store
  readonly routes: RouteTable
  readonly related: Related<Context>
  readonly cursors: CursorCodec
  readonly services: Services
  readonly authenticate: Authenticate
  readonly door: Door
  readonly admission: Admission
  readonly drain: Drain
}

/** What a request has become so far. A step may rely on what the steps before it set. */
export interface Exchange {
  readonly ctx: Koa.Context
  readonly query: URLSearchParams
  caller?: Caller
  resource?: PublishedResource | undefined
  operation?: RoutedOperation
  parameters: Readonly<Record<string, string>>
  context?: Context
  attributes: Passed<Accepts>
  /** Of the answer to a write; reads find theirs when they are read. */
  shape?: Shape | undefined
  /** The result of an action that has no need to run. */
  known?: object
  /** Everything wrong with the arguments, from wherever they come: told at once, before anything is done. */
  readonly problems: Problems
}
