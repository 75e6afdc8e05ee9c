// Adds the mutations of resources. Each returns `{result, errors}`; `errors` contains problems
// that the caller can correct.
import type { PublishedResource } from '../../../catalog/catalog.ts'
import { type OperationOf, runWrite } from '../../../catalog/perform.ts'
import { type Accepts, readId } from '../../../contract/attribute.ts'
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
import { atMostOnce } from './graphql_context.ts'
import { camelCase, inCamelCase, pascalCase, reversible } from './names.ts'
import type { EnumTypes, ObjectTypes } from './object_types.ts'
import { readInput } from './read_arguments.ts'
import { SCALARS } from './scalars.ts'
import { mutationErrors } from './tell_errors.ts'

interface MutationParts {
  readonly Root: TypeClass
  readonly types: ObjectTypes
  readonly enums: EnumTypes
  readonly MutationError: TypeClass
}

type Writing = OperationOf<'create' | 'update' | 'delete' | 'mutate'>

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
  const Outcome = outcomeType(parts, operation, resource)
  const once = operation.kind === 'create' ? operation.meta : undefined
  for (const [name, { kind: shownAs, doc: means }] of Object.entries(once?.fields ?? {}))
    addField(Outcome, camelCase(name), lazy({ type: SCALARS[shownAs.graphql], nullable: true, doc: means }))
  const slot = { type: Outcome, doc }
  addRootField('mutation', parts.Root, { name: graphql, slot, args }, async ({ given, context }) => {
    const isIdempotent = operation.kind === 'create' && operation.idempotent === true
    const own = isIdempotent ? atMostOnce(context) : context
    try {
      // An id that no row can have is told before any mistake in the input.
      const id = kind === 'create' ? '' : readId(given.id)
      const input = (given.input ?? {}) as Arguments
      const attributes = operation.kind === 'delete' ? {} : await readInput(operation, input, own)
      const row = await runWrite(operation, own, { attributes, id })
      await resource.prepare([row], own)
      const said = inCamelCase(once?.of(row) ?? {})
      return { result: parts.types.show(resource, row, own), errors: [], ...said }
    } catch (error) {
      return { result: null, errors: mutationErrors(error) }
    }
  })
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
export function outcomeType(
  { types, MutationError }: Pick<MutationParts, 'types' | 'MutationError'>,
  { graphql }: { readonly graphql: string },
  { type }: PublishedResource,
): TypeClass {
  const Outcome = objectType(`${pascalCase(graphql)}Result`, 'The outcome: a result, or errors.')
  addField(
    Outcome,
    'result',
    lazy({ type: types.of(type), nullable: true, doc: 'Null when it was refused.' }),
  )
  addField(Outcome, 'errors', lazy({ type: MutationError, list: true, doc: 'Empty when it was done.' }))
  return Outcome
}
