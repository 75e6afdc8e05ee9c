// Reads the arguments that tools have beside the attributes of their operations, and those of lists. One failure names
// all mistakes.
import { isJsonObject, type JsonObject, type JsonValue, memberOf } from '../../../shared/proof/json_value.ts'
import type { Published, PublishedResource } from '../../catalog/catalog.ts'
import { type ListCollaborators, pageRequest } from '../../catalog/perform.ts'
import type { FilterTree } from '../../contract/filter.ts'
import type { SortKey } from '../../contract/keyset.ts'
import { sortKeys, sortWords } from '../../contract/resource_fields.ts'
import { MAX_IDEMPOTENCY_KEY } from '../../domain/accounts/idempotency.ts'
import { readTeamId } from '../../domain/accounts/tenant.ts'
import type { Problems } from '../../kernel/problems.ts'
import { problem, type RefusalCode, refuse } from '../../kernel/refusal.ts'
import { LONGEST_SORT, onRequest, ownProperties } from './tool_schemas.ts'

export interface OwnArguments {
  /** Empty when the tool takes none. */
  readonly id: string
  readonly also: ReadonlySet<string>
  readonly idempotencyKey: string | undefined
  /** The others: attributes of the operation, and whatever nobody knows. */
  readonly rest: JsonObject
}

/** Null counts as absent, because many models send it for what they leave out. @throws forbidden_tenant */
export function tenantArgument({ operation }: Published, args: JsonObject): string | undefined {
  const given = operation.tool?.tenant === true ? (memberOf(args, 'tenant') ?? undefined) : undefined
  return given === undefined ? undefined : readTeamId(typeof given === 'string' ? given : '')
}

/** The names of a tool's own arguments: all others are attributes of its operation. */
export function ownNames(of: Published): ReadonlySet<string> {
  const { always, others } = ownProperties(of)
  return new Set([...Object.keys(always), ...Object.keys(others)])
}

/** @param own see `ownNames`. Notes the mistakes in them. */
export const readOwn = (of: Published, own: ReadonlySet<string>, args: JsonObject, problems: Problems) => ({
  id: own.has('id') ? readIdArgument(args, problems) : '',
  also: readAlso(onRequest(of), args, problems),
  idempotencyKey: own.has('idempotency_key') ? readKey(args, problems) : undefined,
  rest: Object.fromEntries(Object.entries(args).filter(([name]) => !own.has(name))),
})

function readIdArgument(args: JsonObject, problems: Problems): string {
  if ((memberOf(args, 'id') ?? undefined) === undefined) problems.note(problem('required', { path: ['id'] }))
  return readText(args, 'id', 'invalid_argument', problems) ?? ''
}

function readText(args: JsonObject, name: string, wrong: RefusalCode, { note }: Problems) {
  const given = memberOf(args, name) ?? undefined
  if (given === undefined || typeof given === 'string') return given
  note(problem(wrong, { path: [name], detail: 'must be a text' }))
  return undefined
}

function readAlso(names: readonly string[], args: JsonObject, { note }: Problems): ReadonlySet<string> {
  if (names.length === 0) return new Set()
  const given = memberOf(args, 'also') ?? []
  const known = Array.isArray(given) ? names.filter((name) => given.includes(name)) : []
  if (!Array.isArray(given) || given.length !== known.length)
    note(problem('invalid_field', { path: ['also'], detail: `names some of ${names.join(', ')}, each once` }))
  return new Set(known)
}

function readKey(args: JsonObject, { note }: Problems): string | undefined {
  const key = memberOf(args, 'idempotency_key') ?? undefined
  if (key === undefined) return undefined
  if (typeof key === 'string' && key !== '' && key.length <= MAX_IDEMPOTENCY_KEY) return key
  note(
    problem('invalid_argument', {
      path: ['idempotency_key'],
      detail: `must be a text of 1 to ${MAX_IDEMPOTENCY_KEY} characters`,
      meta: { maximum: MAX_IDEMPOTENCY_KEY },
    }),
  )
  return undefined
}

/** @throws a Refusal with every mistake noted so far */
export function readPageArguments(args: JsonObject, collaborators: ListCollaborators, problems: Problems) {
  const { resource } = collaborators
  const position = () => {
    const limit = readLimit(args, resource, problems)
    const after = readText(args, 'after', 'invalid_pagination', problems)
    return { limit, count: false, ...(after === undefined ? {} : { after }) }
  }
  const sort = () => readSort(readText(args, 'sort', 'invalid_sort', problems), resource)
  const filter = () => readTree(args, problems)
  return pageRequest(collaborators, { position, sort, filter }, problems)
}

function readLimit(args: JsonObject, { page }: PublishedResource, { note }: Problems): number {
  const given = memberOf(args, 'limit') ?? page.size
  if (typeof given === 'number' && Number.isInteger(given) && given >= 1) return Math.min(given, page.max)
  // An integer beyond a double's precision is clamped like every other one.
  if (typeof given === 'bigint' && given >= 1n) return page.max
  note(
    problem('invalid_pagination', {
      path: ['limit'],
      detail: 'must be an integer of at least 1',
      meta: { minimum: 1 },
    }),
  )
  return page.size
}

function readSort(text: string | undefined, resource: PublishedResource): SortKey[] {
  const path = ['sort']
  const maximum = LONGEST_SORT
  if (text === undefined) return []
  if (text.length > maximum)
    throw refuse('invalid_sort', { path, detail: `has at most ${maximum} characters`, meta: { maximum } })
  return sortKeys(resource, sortWords(text), { path })
}

function readTree(args: JsonObject, { note }: Problems): FilterTree {
  const filter = memberOf(args, 'filter') ?? undefined
  if (filter === undefined) return {}
  if (isJsonObject(filter)) return asTree(filter)
  note(problem('invalid_filter', { path: ['filter'], detail: 'must be an object' }))
  return {}
}

/** The strict reader has bounded its depth. An integer that no double holds is compared by its digits. */
function asTree(object: JsonObject): FilterTree {
  const leafOf = (value: JsonValue) => (typeof value === 'bigint' ? String(value) : value)
  return Object.fromEntries(
    Object.entries(object).map(([name, value]) => [
      name,
      Array.isArray(value)
        ? value.map((one) => (isJsonObject(one) ? asTree(one) : leafOf(one)))
        : isJsonObject(value)
          ? asTree(value)
          : leafOf(value),
    ]),
  ) as FilterTree
}
