// The errors inside the answer of a mutation or a utility. They report refusals, which the caller can correct.
import { type Problem, REFUSALS, Refusal } from '../../../kernel/refusal.ts'
import { addField, lazy, objectType, type TypeClass } from './decorate.ts'
import { fieldsOf } from './fields_of.ts'
import { SCALARS } from './scalars.ts'

export interface MutationError {
  readonly message: string
  readonly shortMessage: string
  readonly vars: string
  readonly code: string
  readonly fields: readonly string[]
}

export function mutationErrorType(): TypeClass {
  const Type = objectType('MutationError', 'Something the caller can mend.')
  addField(Type, 'message', lazy({ type: SCALARS.String, nullable: true, doc: 'What is wrong.' }))
  addField(
    Type,
    'shortMessage',
    lazy({ type: SCALARS.String, nullable: true, doc: 'What the code means, whatever the case.' }),
  )
  addField(
    Type,
    'vars',
    lazy({ type: SCALARS.JsonString, nullable: true, doc: 'Figures that belong to it.' }),
  )
  addField(Type, 'code', lazy({ type: SCALARS.String, nullable: true, doc: 'The same as on JSON:API.' }))
  addField(
    Type,
    'fields',
    lazy({ type: SCALARS.String, list: true, nullable: true, doc: 'The place in the input.' }),
  )
  return Type
}

/** Returns the errors of a refusal. Rethrows a fault of ours, which goes into the response's own errors. */
export function mutationErrors(error: unknown): readonly MutationError[] {
  if (!(error instanceof Refusal)) throw error
  return error.problems.map(mutationError)
}

const mutationError = (problem: Problem): MutationError => ({
  message: problem.detail,
  shortMessage: REFUSALS[problem.code].meaning,
  vars: JSON.stringify(problem.meta ?? {}),
  code: problem.code,
  fields: fieldsOf(problem),
})
