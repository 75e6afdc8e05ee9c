// One root field as a test asks for it: its value, or the refusal in its result.
import { expect } from 'vitest'
import { z } from 'zod'
import { askGraphql, graphqlOf } from './ask_graphql.ts'

/** The value of the field, strictly without errors beside it. */
export async function fieldValue<T extends z.ZodType>(
  port: number,
  key: string,
  shape: T,
  query: string,
  variables: object = {},
): Promise<z.infer<T>> {
  const { data, errors } = graphqlOf(await askGraphql(port, key, query, { variables }))
  expect(errors).toBeUndefined()
  return shape.parse(Object.values(data ?? {})[0])
}

const mutationError = z.strictObject({
  message: z.string().min(1),
  shortMessage: z.string().min(1),
  vars: z.string().transform((text): unknown => JSON.parse(text)),
  code: z.string(),
  fields: z.array(z.string()),
})

/** To select in `errors`. */
export const ERRORS = 'errors { message shortMessage vars code fields }'

/** `{result, errors}` of a mutation or a utility. */
export const outcome = z.looseObject({
  result: z.unknown(),
  errors: z.array(mutationError),
})

/** The result's errors, with the fields each names: `invalid_json claims`. The result itself is null then. */
export async function refusalsOf(
  port: number,
  key: string,
  query: string,
  variables: object = {},
): Promise<string[]> {
  const { result, errors } = await fieldValue(port, key, outcome, query, variables)
  expect(result).toBeNull()
  expect(errors.length).toBeGreaterThan(0)
  return errors.map(({ code, fields }) => [code, ...fields].join(' '))
}
