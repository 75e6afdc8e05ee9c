// Actions: the utilities as queries and the batches as mutations, with arguments that may all be left out.
import { isJsonObject } from '../../../shared/proof/json_value.ts'
import { readStrictJson, StrictJsonError } from '../../../shared/proof/strict_json.ts'
import type { PublishedAction } from '../../catalog/catalog.ts'
import type { Attributes } from '../../contract/operation.ts'
import { rateLimited } from '../../domain/limits/charge.ts'
import { type Failure, invalid } from '../../domain/utilities/failure.ts'
import { type Arguments, addField, addRootField, lazy, objectType, type TypeClass } from './decorate.ts'
import { apart, type GraphqlContext } from './graphql_context.ts'
import { mutationErrors } from './mutation_error.ts'
import { camelCase } from './names.ts'
import { readInput } from './read_input.ts'
import { SCALARS } from './scalars.ts'

export interface ActionParts {
  readonly Query: TypeClass
  readonly Mutation: TypeClass
  readonly MutationError: TypeClass
}

/** The names of those queries that answer errors of their own even when the budget is spent. */
export const utilityNames = (actions: readonly PublishedAction[]): ReadonlySet<string> =>
  new Set(actions.flatMap(({ graphql, graphqlShape }) => (graphqlShape === 'utility' ? [graphql] : [])))

export function addActions(
  { Query, Mutation, MutationError }: ActionParts,
  actions: readonly PublishedAction[],
): void {
  const Result = objectType(
    'UtilityResult',
    'The result object as its JSON text, or why the request was refused.',
  )
  addField(Result, 'result', lazy({ type: SCALARS.JsonString, nullable: true, doc: 'As on JSON:API.' }))
  addField(
    Result,
    'errors',
    lazy({ type: MutationError, list: true, doc: 'Empty unless the request itself was refused.' }),
  )
  for (const action of actions) {
    const args = Object.fromEntries(
      Object.entries(action.accepts).map(([name, { kind, doc }]) => [
        camelCase(name),
        { type: SCALARS[kind.graphql], list: kind.isList, nullable: true, doc },
      ]),
    )
    const [on, Root] =
      action.graphqlShape === 'utility' ? (['query', Query] as const) : (['mutation', Mutation] as const)
    addRootField(
      on,
      Root,
      action.graphql,
      { type: Result, doc: action.doc },
      args,
      async ({ given, context }) => {
        try {
          if (context.overBudget !== undefined) throw rateLimited(context.overBudget)
          return { result: JSON.stringify(await perform(action, apart(context), given)), errors: [] }
        } catch (error) {
          return { result: null, errors: mutationErrors(error) }
        }
      },
    )
  }
}

async function perform(action: PublishedAction, context: GraphqlContext, given: Arguments): Promise<unknown> {
  if (action.graphqlShape === 'utility')
    for (const [name, { kind }] of Object.entries(action.accepts)) {
      const text = given[camelCase(name)]
      if (kind.graphql !== 'JsonString' || typeof text !== 'string') continue
      // A text that the strict reader refuses is what a utility is asked about: an outcome, not a request error.
      const failure = failureOf(text)
      if (failure !== undefined) return failure
    }
  const check = (read: Attributes) => action.check(read, context)
  return action.run(context, readInput(given, { accepts: action.accepts, check, wrong: 'invalid_argument' }))
}

/** Undefined for the text of a JSON object. Judged by the reader alone: an object may well have a member `ok`. */
function failureOf(text: string): Failure | undefined {
  try {
    return isJsonObject(readStrictJson(text)) ? undefined : invalid('json must be a JSON object')
  } catch (error) {
    if (!(error instanceof StrictJsonError)) throw error
    return invalid(`json is refused: ${error.message}`)
  }
}
