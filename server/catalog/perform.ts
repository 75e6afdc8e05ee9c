// Runs an operation once its caller may: what it is given is judged, and it is run. Each surface reads what it was sent
// into one form, hands that in, and says in its own words what came of it.
import type { JsonObject } from '../../shared/proof/json_value.ts'
import {
  type Accepts,
  InsteadOfRunning,
  mayBeId,
  type Passed,
  readAttributes,
  readId,
} from '../contract/attribute.ts'
import { compileFilter, type FilterTree } from '../contract/filter.ts'
import type { SortKey } from '../contract/keyset.ts'
import type { Related } from '../contract/load_related.ts'
import { findRow, type PageRequest } from '../contract/page.ts'
import { withTiebreaker } from '../contract/resource_fields.ts'
import type { Shows } from '../contract/row_columns.ts'
import type { Problems } from '../kernel/problems.ts'
import { type ProblemParts, problem } from '../kernel/refusal.ts'
import type { PublishedAction, PublishedOperation, PublishedResource } from './catalog.ts'
import type { Context } from './context.ts'

export type OperationOf<Kind extends PublishedOperation['kind']> = Extract<
  PublishedOperation,
  { readonly kind: Kind }
>

/** An operation that is asked for, and where the mistakes in what it is given are noted. */
export interface Judging {
  readonly operation: PublishedOperation | PublishedAction
  readonly context: Context
  readonly problems: Problems
}

const acceptedBy = (operation: Judging['operation']): Accepts =>
  'accepts' in operation ? operation.accepts : {}

/**
 * Judges the attributes that an operation is given. One that accepts none refuses every name.
 * @param accepts without the attributes whose mistakes are noted already
 * @throws InsteadOfRunning
 */
export async function judgeGiven(
  { operation, context, problems }: Judging,
  given: JsonObject,
  accepts: Accepts = acceptedBy(operation),
): Promise<Passed<Accepts>> {
  const wrong = operation.kind === 'action' ? 'invalid_argument' : 'invalid_attribute'
  const attributes = readAttributes(given, accepts, problems, wrong)
  if ('accepts' in operation) problems.noteAll((await operation.check?.(attributes, context)) ?? [])
  return attributes
}

/** What an operation is given, or the result of an action that need not run. */
export interface JudgedGiven {
  readonly attributes: Passed<Accepts>
  readonly known?: object
}

export async function givenOrKnown(judge: () => Promise<Passed<Accepts>>): Promise<JudgedGiven> {
  try {
    return { attributes: await judge() }
  } catch (error) {
    if (!(error instanceof InsteadOfRunning)) throw error
    return { attributes: {}, known: error.result }
  }
}

/** @throws a Refusal with every mistake that was noted, and with what running the operation would refuse */
export async function refuseNoted(
  { operation, context, problems }: Judging,
  attributes: Passed<Accepts>,
): Promise<void> {
  if (problems.all().length > 0 && 'wouldRefuse' in operation)
    problems.noteAll((await operation.wouldRefuse?.(attributes, context)) ?? [])
  problems.refuse()
}

/** The units of work that an operation costs beyond the one unit that every request costs. */
export const unitsBeyondOne = (operation: Judging['operation'], attributes: Passed<Accepts>): number =>
  'weigh' in operation ? Math.max(0, (operation.weigh?.((name) => attributes[name]) ?? 1) - 1) : 0

/** @throws not_found, and as the action says */
export const runAction = async (
  action: PublishedAction,
  context: Context,
  { attributes, known }: JudgedGiven,
  id: unknown,
): Promise<unknown> => known ?? action.run(context, attributes, readId(id))

/** Returns the row that was written, or that was removed. @throws not_found, and as the operation says */
export function runWrite(
  operation: OperationOf<'create' | 'update' | 'delete' | 'mutate'>,
  context: Context,
  { attributes, id }: { readonly attributes: Passed<Accepts>; readonly id: unknown },
): Promise<object> {
  switch (operation.kind) {
    case 'create':
      return operation.run(context, attributes)
    case 'update':
    case 'mutate':
      return operation.run(context, readId(id), attributes)
    case 'delete':
      return operation.run(context, readId(id))
    default:
      return operation satisfies never
  }
}

/** Returns the row that a `get` asks for, or undefined when there is none that the caller may see. */
export async function findAsked(
  { operation, resource }: { readonly operation: OperationOf<'get'>; readonly resource: PublishedResource },
  context: Context,
  { id, shows }: { readonly id: unknown; readonly shows: Shows },
): Promise<object | undefined> {
  if (operation.find) return operation.find(context)
  return mayBeId(id) ? findRow(resource, context, id, shows) : undefined
}

/**
 * The parameters of a bare read, without those in which a mistake was noted. Those that may be left out have a value.
 * @param at where the client wrote them
 */
export function readParameters(
  { parameters }: OperationOf<'read'>,
  given: (name: string) => unknown,
  note: Problems['note'],
  at: (name: string) => Pick<ProblemParts, 'parameter' | 'path'> = (name) => ({ path: [name] }),
): Readonly<Record<string, string>> {
  const read: Record<string, string> = {}
  for (const [name, parameter] of Object.entries(parameters)) {
    const text = given(name) ?? undefined
    const value = typeof text === 'string' ? parameter.read(text) : undefined
    if (value !== undefined) read[name] = value
    else if (text === undefined && parameter.absent !== undefined) read[name] = parameter.absent
    else if (text === undefined) note(problem('required', at(name)))
    else note(problem('invalid_argument', { ...at(name), detail: `must be ${parameter.doc}` }))
  }
  return read
}

/** What a list is asked. Each part notes the mistakes in it, or throws them as a Refusal. */
interface AskedList {
  readonly position: () => Omit<PageRequest, 'sort' | 'filter'>
  readonly sort: () => readonly SortKey[]
  readonly filter: () => FilterTree
}

/** What a list is read of, and for whom. */
export interface ListCollaborators {
  readonly resource: PublishedResource
  readonly context: Context
  readonly related: Related<Context>
}

/** @throws a Refusal with every mistake noted so far, each with its place */
export function pageRequest(
  collaborators: ListCollaborators,
  asked: AskedList,
  problems: Problems,
): PageRequest {
  const { resource } = collaborators
  const position = problems.attempt(asked.position)
  const sort = problems.attempt(asked.sort)
  const filter = problems.attempt(() => compileFilter(resource, collaborators, asked.filter()))
  problems.refuse()
  if (position === undefined || sort === undefined || filter === undefined)
    throw new Error('A list that is not valid was let through.')
  return { ...position, sort: withTiebreaker(resource, sort), filter }
}
