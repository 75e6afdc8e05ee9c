// What belongs to one request, for everything that happens while it is answered: its id, and the trace it is part of.
import { AsyncLocalStorage } from 'node:async_hooks'
import { newUuid7 } from './identifiers.ts'

interface TraceParent {
  /** 32 hex digits. */
  readonly traceId: string
  /** 16 hex digits. */
  readonly spanId: string
  readonly isSampled: boolean
}

export interface RequestScope {
  readonly id: string
  /** What the client named in `traceparent`. It decides nothing but under which trace this request is found. */
  readonly parent: TraceParent | undefined
  /** Set when this server traces the request under a trace of its own. */
  traceId: string | undefined
  /** True once an error of this request has its id. */
  isTold: boolean
}

const scopes = new AsyncLocalStorage<RequestScope>()

export function withinRequest<T>(parent: TraceParent | undefined, work: (scope: RequestScope) => T): T {
  const scope: RequestScope = { id: newUuid7(), parent, traceId: parent?.traceId, isTold: false }
  return scopes.run(scope, () => work(scope))
}

/** The id of an error. The first error of a request has the request's own id, so that either finds the other. */
export function errorId(): string {
  const scope = scopes.getStore()
  if (scope === undefined || scope.isTold) return newUuid7()
  scope.isTold = true
  return scope.id
}

/** Members of every log line that is written while a request is answered. Empty outside of requests. */
export function requestFields(): { readonly request_id?: string; readonly trace_id?: string } {
  const scope = scopes.getStore()
  if (scope === undefined) return {}
  const { id: request_id, traceId: trace_id } = scope
  return trace_id === undefined ? { request_id } : { request_id, trace_id }
}

/**
 * Reads `traceparent` (W3C Trace Context, section 3.2). Later versions may have more parts. Undefined for anything
 * that is not exactly one.
 */
export function readTraceParent(header: string | undefined): TraceParent | undefined {
  const parts = header === undefined || header.length > LONGEST ? null : TRACE_PARENT.exec(header)
  const [, version, traceId = '', spanId = '', flags = '', rest] = parts ?? []
  if (parts === null || version === 'ff' || (version === '00' && rest !== undefined)) return undefined
  if (/^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 }
}

const TRACE_PARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-[\x21-\x7e]*)?$/
const LONGEST = 256
