// Adds actions to the roots: utilities as queries and batches as mutations. All arguments are nullable.
import type { Catalog, PublishedAction, PublishedResource } from '../../../catalog/catalog.ts'
import { givenOrKnown, runAction } from '../../../catalog/perform.ts'
import { rateLimited } from '../../../domain/limits/charge.ts'
import { JsonText } from '../../../kernel/json_text.ts'
import { type Arguments, addField, addRootField, lazy, objectType, type TypeClass } from './decorate.ts'
import { atMostOnce, type GraphqlContext } from './graphql_context.ts'
import { camelCase } from './names.ts'
import type { ObjectTypes } from './object_types.ts'
import { readInput } from './read_arguments.ts'
import { outcomeType } from './root_mutations.ts'
import { SCALARS } from './scalars.ts'
import { mutationErrors } from './tell_errors.ts'

interface ActionParts {
  readonly Query: TypeClass
  readonly Mutation: TypeClass
  readonly MutationError: TypeClass
  readonly types: ObjectTypes
}

/** The names of the queries that report a spent budget in their own errors. */
export const utilityNames = (actions: readonly PublishedAction[]): ReadonlySet<string> =>
  new Set(actions.flatMap(({ graphql, graphqlShape }) => (graphqlShape === 'utility' ? [graphql] : [])))

export function addActions(parts: ActionParts, catalog: Catalog): void {
  const { Query, Mutation, MutationError, types } = parts
  const Utility = objectType(
    'UtilityResult',
    'The result object as its JSON text, or why the request was refused.',
  )
  addField(Utility, 'result', lazy({ type: SCALARS.JsonString, nullable: true, doc: 'As on JSON:API.' }))
  addField(
    Utility,
    'errors',
    lazy({ type: MutationError, list: true, doc: 'Empty unless the request itself was refused.' }),
  )
  for (const action of catalog.actions) {
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
    const answered = answeredResource(catalog, action)
    const [on, Root] =
      action.graphqlShape === 'utility' ? (['query', Query] as const) : (['mutation', Mutation] as const)
    const slot = {
      type: answered === undefined ? Utility : outcomeType(parts, action, answered),
      doc: action.doc,
    }
    addRootField(on, Root, { name: action.graphql, slot, args }, async ({ given, context }) => {
      try {
        if (context.overBudget !== undefined) throw rateLimited(context.overBudget)
        const own = action.idempotent === true ? atMostOnce(context) : context
        const result = await perform(action, own, given)
        if (answered !== undefined) return { result: await showRow(types, answered, own, result), errors: [] }
        return { result: textOf(result), errors: [] }
      } catch (error) {
        return { result: null, errors: mutationErrors(error) }
      }
    })
  }
}

const textOf = (result: unknown): string =>
  result instanceof JsonText ? result.text : JSON.stringify(result)

/** True when the action's path contains the id of its subject. */
const takesId = ({ http }: PublishedAction): boolean => http.includes('/:id')

const answeredResource = (catalog: Catalog, { answers }: PublishedAction): PublishedResource | undefined =>
  answers === undefined ? undefined : catalog.related(answers)

async function showRow(
  types: ObjectTypes,
  resource: PublishedResource,
  context: GraphqlContext,
  row: unknown,
): Promise<object> {
  if (typeof row !== 'object' || row === null) throw new Error(`${resource.type}: no row was answered.`)
  await resource.prepare([row], context)
  return types.show(resource, row, context)
}

async function perform(action: PublishedAction, context: GraphqlContext, given: Arguments): Promise<unknown> {
  const read = await givenOrKnown(() => readInput(action, given, context))
  return runAction(action, context, read, takesId(action) ? given.id : '')
}
