// GraphQL over HTTP as tests ask it, and the shape every answer has.
import { expect } from 'vitest'
import { z } from 'zod'
import { type Answer, type Ask, ask } from '../../support/http.ts'

const entry = z.strictObject({
  message: z.string().min(1),
  locations: z.array(z.strictObject({ line: z.number(), column: z.number() })).optional(),
  path: z.array(z.union([z.string(), z.number()])).optional(),
  extensions: z.strictObject({
    code: z.string().regex(/^[a-z_]+$/),
    fields: z.array(z.string()),
    id: z.string().length(36),
    meta: z.record(z.string(), z.unknown()).optional(),
  }),
})

const answerShape = z.strictObject({
  data: z.record(z.string(), z.unknown()).nullable().optional(),
  errors: z.array(entry).min(1).optional(),
})

export type GraphqlAnswer = z.infer<typeof answerShape>

export const askGraphql = (
  port: number,
  key: string,
  query: unknown,
  {
    headers,
    variables,
    operationName,
  }: { headers?: Ask['headers']; variables?: object; operationName?: string } = {},
): Promise<Answer> =>
  ask(port, '/gql', {
    key,
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify({ query, variables, operationName }),
  })

/** The body, strictly read. */
export function graphqlOf(answer: Answer, status = 200): GraphqlAnswer {
  expect(answer.status, answer.text).toBe(status)
  return answerShape.parse(answer.json())
}

/** The codes of its errors, with the fields each names: `invalid_argument id`. */
export const codesOf = (answer: Answer, status = 200): string[] =>
  (graphqlOf(answer, status).errors ?? []).map(({ extensions: { code, fields } }) =>
    [code, ...fields].join(' '),
  )
