// Reads the arguments that tools have beside those of their operations. One failure names all mistakes.
import { type JsonObject, memberOf } from '../../../shared/proof/json_value.ts'
import { readAttributes } from '../../contract/read_attributes.ts'
import { MAX_IDEMPOTENCY_KEY } from '../../domain/accounts/idempotency.ts'
import { readTeamId } from '../../domain/accounts/tenant.ts'
import type { Problems } from '../../kernel/problems.ts'
import { problem } from '../../kernel/refusal.ts'
import { isIdempotent, LIST_ARGUMENTS, type OfTool, onRequest, takesId } from './tool_schemas.ts'

export interface OwnArguments {
  /** Empty when the tool takes none. */
  readonly id: string
  readonly also: ReadonlySet<string>
  readonly idempotencyKey: string | undefined
  /** The others: attributes of the operation, and whatever nobody knows. */
  readonly rest: JsonObject
}

/** Null counts as absent, because many models send it for what they leave out. @throws forbidden_tenant */
export function tenantArgument({ operation }: OfTool, args: JsonObject): string | undefined {
  const given = operation.tool?.tenant === true ? (memberOf(args, 'tenant') ?? undefined) : undefined
  return given === undefined ? undefined : readTeamId(typeof given === 'string' ? given : '')
}

/** Notes the mistakes in them. */
export function readOwn(of: OfTool, args: JsonObject, problems: Problems): OwnArguments {
  const own = ownNames(of)
  return {
    id: own.has('id') ? readIdArgument(args, problems) : '',
    also: readAlso(onRequest(of), args, problems),
    idempotencyKey: own.has('idempotency_key') ? readKey(args, problems) : undefined,
    rest: Object.fromEntries(Object.entries(args).filter(([name]) => !own.has(name))),
  }
}

/** Notes every argument that is left, for operations that accept no attributes. */
export const refuseUnknown = (rest: JsonObject, problems: Problems): void =>
  void readAttributes(rest, {}, problems, 'invalid_argument')

function ownNames(of: OfTool): ReadonlySet<string> {
  const { operation } = of
  return new Set([
    ...(takesId(of) ? ['id'] : []),
    ...(operation.kind === 'read' ? Object.keys(operation.parameters) : []),
    ...(operation.kind === 'list' ? LIST_ARGUMENTS : []),
    ...(onRequest(of).length > 0 ? ['also'] : []),
    ...(operation.tool?.tenant === true ? ['tenant'] : []),
    ...(isIdempotent(operation) ? ['idempotency_key'] : []),
  ])
}

function readIdArgument(args: JsonObject, { note }: Problems): string {
  const id = memberOf(args, 'id') ?? undefined
  if (typeof id === 'string') return id
  note(
    id === undefined
      ? problem('required', { path: ['id'] })
      : problem('invalid_argument', { path: ['id'], detail: 'must be a text' }),
  )
  return ''
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
