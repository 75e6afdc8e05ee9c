// Adds the mutations of resources. Each returns `{result, errors}`; `errors` contains problems
// that the caller can correct.
import type { PublishedOperation, PublishedResource } from '../../../catalog/catalog.ts'
import { apart } from '../../../catalog/context.ts'
import type { Accepts, Given } from '../../../contract/attribute.ts'
import { readId } from '../../../contract/read_attributes.ts'
import {
  type Arguments,
  addField,
  addRootField,
  inputType,
  lazy,
  objectType,
  type Slot,
  type TypeClass,
} from './decorate.ts'
import { atMostOnce, type GraphqlContext } from './graphql_context.ts'
import { camelCase, inCamelCase, pascalCase, reversible } from './names.ts'
import type { EnumTypes, ObjectTypes } from './object_types.ts'
import { readMutationInput } from './read_input.ts'
import { SCALARS } from './scalars.ts'
import { mutationErrors } from './tell_errors.ts'

interface MutationParts {
  readonly Root: TypeClass
  readonly types: ObjectTypes
  readonly enums: EnumTypes
  readonly MutationError: TypeClass
}

type Writing = Extract<PublishedOperation, { kind: 'create' | 'update' | 'delete' | 'mutate' }>

export function addMutations(parts: MutationParts, resource: PublishedResource): void {
  for (const operation of resource.operations)
    if (
      operation.kind === 'create' ||
      operation.kind === 'update' ||
      operation.kind === 'delete' ||
      operation.kind === 'mutate'
    )
      addMutation(parts, resource, operation)
}

function addMutation(parts: MutationParts, resource: PublishedResource, operation: Writing): void {
  const { graphql, doc, kind } = operation
  const accepts = 'accepts' in operation ? operation.accepts : {}
  const takesInput = kind !== 'delete' && Object.keys(accepts).length > 0
  const args: Record<string, Slot> = {
    ...(kind === 'create' ? {} : { id: { type: SCALARS.ID } }),
    ...(takesInput
      ? { input: { type: inputOf(parts, resource, operation, accepts), nullable: kind === 'update' } }
      : {}),
  }
  const slot = { type: resultOf(parts, resource, operation), doc }
  addRootField('mutation', parts.Root, { name: graphql, slot, args }, async ({ given, context }) => {
    const isIdempotent = operation.kind === 'create' && operation.idempotent === true
    const own = isIdempotent ? atMostOnce(apart(context)) : apart(context)
    try {
      const row = await perform(operation, own, given)
      await resource.prepare([row], own)
      const once = operation.kind === 'create' ? (operation.meta?.of(row) ?? {}) : {}
      return { result: parts.types.show(resource, row, own), errors: [], ...inCamelCase(once) }
    } catch (error) {
      return { result: null, errors: mutationErrors(error) }
    }
  })
}

async function perform(operation: Writing, context: GraphqlContext, given: Arguments): Promise<object> {
  const attributes = async (): Promise<Given<Accepts>> => {
    if (operation.kind === 'delete') return {}
    const input = (given.input ?? {}) as Arguments
    return readMutationInput(input, {
      accepts: operation.accepts,
      check: (read) => operation.check?.(read, context) ?? [],
      wouldRefuse: (read) => operation.wouldRefuse?.(read, context),
      wrong: 'invalid_attribute',
      readText: context.readText,
      most: context.services.ceilings.problems,
    })
  }
  switch (operation.kind) {
    case 'create':
      return operation.run(context, await attributes())
    case 'update':
    case 'mutate':
      return operation.run(context, readId(given.id), await attributes())
    case 'delete':
      return operation.run(context, readId(given.id))
    default:
      return operation satisfies never
  }
}

/** e.g. `CreateItemInput` */
function inputOf(
  { enums }: MutationParts,
  { type }: PublishedResource,
  { graphql }: Writing,
  accepts: Accepts,
): TypeClass {
  const Input = inputType(`${pascalCase(graphql)}Input`)
  for (const [name, { kind, required, doc }] of Object.entries(accepts)) {
    const values = kind.values
    const scalar = values === undefined ? SCALARS[kind.graphql] : enums.of(type, name, values)
    addField(Input, reversible(name), lazy({ type: scalar, list: kind.isList, nullable: !required, doc }))
  }
  return Input
}

/** e.g. `CreateItemResult` */
function resultOf(
  { types, MutationError }: MutationParts,
  { type }: PublishedResource,
  operation: Writing,
): TypeClass {
  const { graphql } = operation
  const Result = objectType(`${pascalCase(graphql)}Result`, 'The outcome: a result, or errors.')
  addField(Result, 'result', lazy({ type: types.of(type), nullable: true, doc: 'Null when it was refused.' }))
  addField(Result, 'errors', lazy({ type: MutationError, list: true, doc: 'Empty when it was done.' }))
  const once = operation.kind === 'create' ? operation.meta?.fields : undefined
  for (const [name, { kind, doc }] of Object.entries(once ?? {}))
    addField(Result, camelCase(name), lazy({ type: SCALARS[kind.graphql], nullable: true, doc }))
  return Result
}
