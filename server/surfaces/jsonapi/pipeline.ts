// The steps that judge a request, in order. Each row is one step and the kinds of operation it applies to.
import { requireCharge, requireRoom } from '../../admission/door.ts'
import { type Admitted, hasLargeBody } from '../../admission/turns.ts'
import type { RoutedOperation } from '../../catalog/catalog.ts'
import { openContext } from '../../catalog/context.ts'
import { readParameters, unitsBeyondOne } from '../../catalog/perform.ts'
import type { Turn } from '../../contract/expensive_reads.ts'
import { changesSomething } from '../../contract/operation.ts'
import type { Caller } from '../../domain/accounts/caller.ts'
import type { Aside } from '../../domain/webhooks/pulling/pull_waits.ts'
import { QUERY_CEILINGS } from '../../kernel/ceilings.ts'
import { type AtOnce, whenKnown } from '../../kernel/flow/at_once.ts'
import { type Lasting, whenOver } from '../../kernel/flow/lasting.ts'
import { present } from '../../kernel/present.ts'
import { noMoreThan, problem, refuse } from '../../kernel/refusal.ts'
import { refuseMethod } from '../http/error_document.ts'
import { API_SCOPE_OF, identify, requestedTenant, requireScopes } from '../http/identify.ts'
import { checkContentEncoding, checkLength } from '../http/read_body.ts'
import { answer, answerRead } from './answer.ts'
import type { Exchange, JsonApiHouse } from './exchange.ts'
import { checkAccept, checkContentType, comesWithoutBody } from './media_type.ts'
import { readDocument } from './read_document.ts'
import { REPEATED } from './read_query.ts'

interface Step {
  /** When absent, the step runs for every request, even when no operation matches. */
  readonly kinds?: readonly RoutedOperation['kind'][]
  readonly run: (exchange: Exchange, house: JsonApiHouse) => AtOnce<void>
}

const BODIES = ['create', 'update', 'action'] as const
const ALL = ['list', 'get', 'read', 'create', 'update', 'delete', 'action'] as const

const STEPS: readonly Step[] = Object.freeze([
  {
    // Before every other check.
    run: ({ ctx }, { door }) => whenKnown(door.address(ctx), (charge) => requireRoom(ctx, charge)),
  },
  { run: ({ ctx }, { maxBodyBytes }) => checkLength(ctx.req, maxBodyBytes) },
  {
    // The credential, and the budget of its caller.
    run: (exchange, { authenticate, base, door }) => {
      const { ctx } = exchange
      const charged = (caller: Caller | undefined) =>
        whenKnown(door.caller(ctx, caller), (charge) => requireCharge(ctx, charge))
      return whenKnown(identify(ctx, { authenticate, base, resource: 'api' }, charged), (caller) => {
        exchange.caller = caller
      })
    },
  },
  { run: findRoute },
  { kinds: ALL, run: checkScope },
  {
    kinds: ALL,
    run: (exchange, { admission }) => {
      const { ctx, caller, operation } = exchange
      const key = caller?.userId ?? ''
      exchange.admitted = admission.admit(ctx.res, key)
      if (operation?.kind === 'list' || mayWait(operation))
        return admission.listTurn(ctx.res, key).then((turn) => {
          exchange.turn = turn
        })
      return hasLargeBody(ctx.req) ? admission.turn(ctx.res, key).then(() => undefined) : undefined
    },
  },
  { kinds: ALL, run: enter },
  { kinds: ALL, run: ({ ctx }) => checkAccept(ctx.headers.accept) },
  { kinds: BODIES, run: checkType },
  { kinds: ALL, run: checkParameters },
  { kinds: BODIES, run: readDocument },
  { kinds: ['create', 'action'], run: chargeWork },
  { kinds: ['read'], run: answerRead },
  { kinds: ['list', 'get', 'create', 'update', 'delete', 'action'], run: answer },
] satisfies Step[])

/** The steps up to the one that finds the operation, and those that follow for each kind of operation. */
const FIRST = STEPS.filter(({ kinds }) => kinds === undefined)
const REST = new Map(ALL.map((kind) => [kind, STEPS.filter(({ kinds }) => kinds?.includes(kind) === true)]))

/** Runs the steps that apply to the operation, in order. Each step sets members of the exchange. @throws Refusal */
export const runSteps = (exchange: Exchange, house: JsonApiHouse): AtOnce<void> =>
  whenKnown(runEach(FIRST, exchange, house), () => {
    const { operation } = exchange
    return operation === undefined ? undefined : runEach(REST.get(operation.kind) ?? [], exchange, house)
  })

/** Most steps wait for nothing, and often none of a request does. */
function runEach(steps: readonly Step[], exchange: Exchange, house: JsonApiHouse, first = 0): AtOnce<void> {
  for (let at = first; at < steps.length; at += 1) {
    const underWay = steps[at]?.run(exchange, house)
    if (underWay !== undefined) return underWay.then(() => runEach(steps, exchange, house, at + 1))
  }
}

function findRoute(exchange: Exchange, { routes }: JsonApiHouse): void {
  const { ctx } = exchange
  const found = routes.find(ctx.method === 'HEAD' ? 'GET' : ctx.method, ctx.path)
  if ('route' in found) {
    exchange.resource = found.route.resource
    exchange.operation = found.route.operation
    exchange.parameters = found.parameters
    return
  }
  if (found.allow.length === 0) throw refuse('no_route_found')
  refuseMethod(ctx, found.allow.join(', '))
}

function checkScope({ caller, operation }: Exchange): void {
  if (caller === undefined || operation === undefined) throw refuse('unauthorized')
  requireScopes(caller, [API_SCOPE_OF[operation.access]])
}

function enter(exchange: Exchange, house: JsonApiHouse): AtOnce<void> {
  const { ctx, query, caller, operation, turn, admitted } = exchange
  if (caller === undefined || operation === undefined) throw refuse('unauthorized')
  const purpose = changesSomething(operation) ? 'write' : 'read'
  const aside =
    mayWait(operation) && admitted !== undefined && turn !== undefined
      ? asideOf(ctx.res, admitted, turn)
      : undefined
  const parts = turn === undefined && aside === undefined ? house : { ...house, ...present({ turn, aside }) }
  return whenKnown(openContext(parts, caller, requestedTenant(ctx, query), purpose), (context) => {
    exchange.context = context
  })
}

/** Whether it holds its answer back until something comes. What it answers is a list, and takes the turn of one. */
const mayWait = (operation: RoutedOperation | undefined): boolean =>
  operation?.kind === 'read' && operation.waits === true

function asideOf(answer: Lasting, admitted: Admitted, turn: Turn): Aside {
  const left = new AbortController()
  whenOver(answer, () => left.abort())
  return {
    signal: left.signal,
    rest: () => {
      turn.giveUp()
      admitted.rest()
    },
    resume: () => {
      admitted.resume()
      return turn.takeAgain()
    },
  }
}

/**
 * An action may come without a body, because it may have no required arguments. Missing
 * arguments are reported by name.
 */
function checkType({ ctx, operation }: Exchange): void {
  if (operation?.kind === 'action' && comesWithoutBody(ctx.req)) return
  checkContentType(ctx.headers['content-type'])
  checkContentEncoding(ctx)
}

function checkParameters(exchange: Exchange): void {
  const { ctx, operation, parameters, query, problems } = exchange
  if (query.size > QUERY_CEILINGS.parameters)
    throw refuse('invalid_argument', noMoreThan('a query has', QUERY_CEILINGS.parameters, 'parameters'))
  for (const [name, value] of query)
    if (name.includes('\0') || value.includes('\0'))
      problems.note(
        problem('invalid_argument', {
          parameter: name.replaceAll('\0', ''),
          detail: 'cannot contain U+0000',
        }),
      )
  const validators = ctx.headers['if-none-match']?.length ?? 0
  if (validators > QUERY_CEILINGS.validators && (operation?.kind === 'read' || operation?.kind === 'get'))
    problems.note(
      problem(
        'invalid_argument',
        noMoreThan('has', QUERY_CEILINGS.validators, 'characters', { parameter: 'If-None-Match' }),
      ),
    )
  if (operation?.kind !== 'read') return
  for (const name of Object.keys(operation.parameters))
    if (query.getAll(name).length > 1)
      problems.note(problem('invalid_argument', { parameter: name, detail: REPEATED }))
  exchange.parameters = readParameters(
    operation,
    (name) => (operation.parameters[name]?.absent === undefined ? parameters[name] : query.get(name)),
    problems.note,
    atParameter,
  )
}

const atParameter = (parameter: string) => ({ parameter })

function chargeWork({ ctx, caller, operation, given }: Exchange, { door }: JsonApiHouse): AtOnce<void> {
  if (operation === undefined || caller === undefined) return
  const units = unitsBeyondOne(operation, given.attributes)
  if (units === 0) return
  return whenKnown(door.work(caller, units), (charge) => requireRoom(ctx, charge))
}
