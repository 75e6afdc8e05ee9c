// Adds the mutations of resources, and the actions: utilities as queries and batches as mutations. Each returns
// `{result, errors}`; `errors` contains problems that the caller can correct.
import type { PublishedAction, PublishedResource } from '../../../catalog/catalog.ts'
import { givenOrKnown, type OperationOf, runAction, runWrite } from '../../../catalog/perform.ts'
import { type Accepts, readId } from '../../../contract/attribute.ts'
import { rateLimited } from '../../../domain/limits/charge.ts'
import { JsonText } from '../../../kernel/json_text.ts'
import { REFUSALS, Refusal } from '../../../kernel/refusal.ts'
import { readInput } from './arguments.ts'
import { type Arguments, addRootField, inputType, objectType, type Slot, type TypeClass } from './decorate.ts'
import { atMostOnce, type GraphqlContext } from './graphql_context.ts'
import { camelCase, fieldsOf, inCamelCase, pascalCase, reversible } from './names.ts'
import type { RootParts } from './object_types.ts'
import { SCALARS } from './scalars.ts'

type Writing = OperationOf<'create' | 'update' | 'delete' | 'mutate'>

export function addMutations(parts: RootParts, resource: PublishedResource): void {
  for (const operation of resource.operations)
    if (operation.kind !== 'list' && operation.kind !== 'get' && operation.kind !== 'read')
      addMutation(parts, resource, operation)
}

function addMutation(parts: RootParts, resource: PublishedResource, operation: Writing): void {
  const { graphql, doc, kind } = operation
  const accepts = 'accepts' in operation ? operation.accepts : {}
  const takesInput = kind !== 'delete' && Object.keys(accepts).length > 0
  const args: Record<string, Slot> = {
    ...(kind === 'create' ? {} : { id: { type: SCALARS.ID } }),
    ...(takesInput
      ? { input: { type: inputOf(parts, resource, operation, accepts), nullable: kind === 'update' } }
      : {}),
  }
  const once = operation.kind === 'create' ? operation.meta : undefined
  const saidOnce = Object.entries(once?.fields ?? {}).map(([name, { kind: shownAs, doc: means }]) => [
    camelCase(name),
    { type: SCALARS[shownAs.graphql], nullable: true, doc: means },
  ])
  const Outcome = outcomeType(parts, operation, resource, Object.fromEntries(saidOnce))
  const slot = { type: Outcome, doc }
  addRootField('mutation', parts.Mutation, { name: graphql, slot, args }, ({ given, context }) =>
    outcomeOf(async () => {
      const isIdempotent = operation.kind === 'create' && operation.idempotent === true
      const own = isIdempotent ? atMostOnce(context) : context
      // An id that no row can have is told before any mistake in the input.
      const id = kind === 'create' ? '' : readId(given.id)
      const input = (given.input ?? {}) as Arguments
      const attributes = operation.kind === 'delete' ? {} : await readInput(operation, input, own)
      const row = await runWrite(operation, own, { attributes, id })
      return { result: await parts.types.prepareRow(resource, row, own), ...inCamelCase(once?.of(row) ?? {}) }
    }),
  )
}

/** e.g. `CreateItemInput` */
function inputOf({ enums }: RootParts, { type }: PublishedResource, { graphql }: Writing, accepts: Accepts) {
  const members = Object.entries(accepts).map(([name, { kind, required, doc }]) => {
    const { values } = kind
    const scalar = values === undefined ? SCALARS[kind.graphql] : enums(type, name, values)
    return [reversible(name), { type: scalar, list: kind.isList, nullable: !required, doc }]
  })
  return inputType(`${pascalCase(graphql)}Input`, Object.fromEntries(members))
}

/** e.g. `CreateItemResult` */
const outcomeType = (
  { types, MutationError }: RootParts,
  { graphql }: { readonly graphql: string },
  { type }: PublishedResource,
  besides: Readonly<Record<string, Slot>> = {},
): TypeClass =>
  objectType(`${pascalCase(graphql)}Result`, 'The outcome: a result, or errors.', {
    result: { type: types.of(type), nullable: true, doc: 'Null when it was refused.' },
    errors: { type: MutationError, list: true, doc: 'Empty when it was done.' },
    ...besides,
  })

export const mutationErrorType = (): TypeClass =>
  objectType('MutationError', 'Something the caller can mend.', {
    message: { type: SCALARS.String, nullable: true, doc: 'What is wrong.' },
    shortMessage: { type: SCALARS.String, nullable: true, doc: 'What the code means, whatever the case.' },
    vars: { type: SCALARS.JsonString, nullable: true, doc: 'Figures that belong to it.' },
    code: { type: SCALARS.String, nullable: true, doc: 'The same as on JSON:API.' },
    fields: { type: SCALARS.String, list: true, nullable: true, doc: 'The place in the input.' },
  })

/** @param run returns the result, and what is said beside it */
async function outcomeOf(run: () => Promise<object>): Promise<object> {
  try {
    return { errors: [], ...(await run()) }
  } catch (error) {
    return { result: null, errors: mutationErrors(error) }
  }
}

/** Returns the errors of a refusal. Rethrows a fault of ours, which goes into the response's own errors. */
function mutationErrors(error: unknown) {
  if (!(error instanceof Refusal)) throw error
  return error.problems.map((problem) => ({
    message: problem.detail,
    shortMessage: REFUSALS[problem.code].meaning,
    vars: JSON.stringify(problem.meta ?? {}),
    code: problem.code,
    fields: fieldsOf(problem),
  }))
}

/** The names of the queries that report a spent budget in their own errors. */
export const utilityNames = (actions: readonly PublishedAction[]): ReadonlySet<string> =>
  new Set(actions.flatMap(({ graphql, graphqlShape }) => (graphqlShape === 'utility' ? [graphql] : [])))

export function addActions(parts: RootParts, actions: readonly PublishedAction[]): void {
  const { Query, Mutation, MutationError, types, related } = parts
  const Utility = objectType(
    'UtilityResult',
    'The result object as its JSON text, or why the request was refused.',
    {
      result: { type: SCALARS.JsonString, nullable: true, doc: 'As on JSON:API.' },
      errors: { type: MutationError, list: true, doc: 'Empty unless the request itself was refused.' },
    },
  )
  for (const action of actions) {
    const accepted = Object.entries(action.accepts).map(([name, { kind, doc }]) => [
      camelCase(name),
      { type: SCALARS[kind.graphql], list: kind.isList, nullable: true, doc },
    ])
    const args = { ...(takesId(action) ? { id: { type: SCALARS.ID } } : {}), ...Object.fromEntries(accepted) }
    if (action.graphqlShape === 'json') {
      const slot = { type: SCALARS.JsonString, nullable: true, doc: action.doc }
      addRootField('query', Query, { name: action.graphql, slot, args }, async ({ given, context }) =>
        textOf(await perform(action, context, given)),
      )
      continue
    }
    const answered = action.answers === undefined ? undefined : related(action.answers)
    const [on, Root] =
      action.graphqlShape === 'utility' ? (['query', Query] as const) : (['mutation', Mutation] as const)
    const slot = {
      type: answered === undefined ? Utility : outcomeType(parts, action, answered),
      doc: action.doc,
    }
    addRootField(on, Root, { name: action.graphql, slot, args }, ({ given, context }) =>
      outcomeOf(async () => {
        if (context.overBudget !== undefined) throw rateLimited(context.overBudget)
        const own = action.idempotent === true ? atMostOnce(context) : context
        const result = await perform(action, own, given)
        return {
          result: answered === undefined ? textOf(result) : await types.prepareRow(answered, result, own),
        }
      }),
    )
  }
}

const textOf = (result: unknown): string =>
  result instanceof JsonText ? result.text : JSON.stringify(result)

/** True when the action's path contains the id of its subject. */
const takesId = ({ http }: PublishedAction): boolean => http.includes('/:id')

async function perform(action: PublishedAction, context: GraphqlContext, given: Arguments): Promise<unknown> {
  const read = await givenOrKnown(() => readInput(action, given, context))
  return runAction(action, context, read, takesId(action) ? given.id : '')
}
