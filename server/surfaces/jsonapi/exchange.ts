// The state that the steps of the pipeline share: one request's exchange, and the collaborators of all requests.
import type Koa from 'koa'
import type { Door } from '../../admission/door.ts'
import type { Admitted } from '../../admission/turns.ts'
import type { PublishedResource, RoutedOperation } from '../../catalog/catalog.ts'
import type { Context, Services } from '../../catalog/context.ts'
import type { JudgedGiven } from '../../catalog/perform.ts'
import type { Turn } from '../../contract/expensive_reads.ts'
import type { CursorCodec } from '../../contract/keyset.ts'
import type { Related } from '../../contract/load_related.ts'
import type { Caller } from '../../domain/accounts/caller.ts'
import type { JsonParts, JsonText } from '../../kernel/json_text.ts'
import type { Problems } from '../../kernel/problems.ts'
import type { House } from '../http/house.ts'
import type { Shape } from './read_query.ts'
import type { RouteTable } from './routes.ts'

export interface JsonApiHouse extends House {
  readonly routes: RouteTable
  readonly related: Related<Context>
  readonly cursors: CursorCodec
  readonly services: Services
  readonly door: Door
}

/** The state of a request so far. A step may rely on the values that earlier steps set. */
export interface Exchange {
  readonly ctx: Koa.Context
  readonly query: URLSearchParams
  caller?: Caller
  resource?: PublishedResource | undefined
  operation?: RoutedOperation
  /** What stands in the path. A bare read takes them as its parameters' `read` returned them. */
  parameters: Readonly<Record<string, string>>
  /** Its place among the requests under way. */
  admitted?: Admitted
  /** The turn of a list. */
  turn?: Turn
  context?: Context
  given: JudgedGiven
  /** Which fields and includes the answer to a write shows. Reads parse theirs when they run. */
  shape?: Shape | undefined
  /** What the answer consists of. The surface writes it. */
  body?: JsonParts | JsonText | object | undefined
  /** All problems of the request. They are collected and answered together, before anything is done. */
  readonly problems: Problems
}
