// GraphQL over HTTP: what a request asks for and in which type it is answered, and how an answer is sent.
import { Readable } from 'node:stream'
import type { GraphQLError } from 'graphql'
import { parseRequestParams } from 'graphql-http'
import type Koa from 'koa'
import type { JsonParts } from '../../../kernel/json_text.ts'
import { type Refusal, refuse } from '../../../kernel/refusal.ts'
import { readJson } from '../../http/read_body.ts'
import type { AskedOperation } from './prepare_operation.ts'

export type AnswerType = 'application/graphql-response+json' | 'application/json'

/** `refused`: no GraphQL can be read or answered. `wrong`: it is no GraphQL request, and says why. */
type RequestRead =
  | { readonly asked: AskedOperation; readonly type: AnswerType }
  | { readonly refused: unknown }
  | { readonly wrong: string }

/** @param body empty unless the method is POST */
export async function readRequest(ctx: Koa.Context, body: Buffer): Promise<RequestRead> {
  const type = answerTypeFor(ctx.headers.accept)
  if (type === undefined) return { refused: notAcceptable() }
  const repeated = repeatedIn(ctx.querystring)
  if (repeated !== undefined) return { wrong: `Parameter "${repeated}" is given more than once` }
  let refused: unknown
  try {
    const read = await parseRequestParams({
      method: ctx.method === 'HEAD' ? 'GET' : ctx.method,
      url: ctx.url,
      headers: ctx.req.headers,
      body: () => {
        try {
          readJson(body)
        } catch (error) {
          refused = error
          throw error
        }
        return body.toString('utf8')
      },
      raw: undefined,
      context: undefined,
    })
    if (!('query' in read)) return { refused: unsupportedType() }
    const { query, operationName, variables } = read
    return { asked: { query, operationName: operationName ?? undefined, variables: variables ?? {} }, type }
  } catch (error) {
    if (refused !== undefined) return { refused }
    return { wrong: error instanceof Error ? error.message : String(error) }
  }
}

/** Of two values, one would be left out in silence. */
function repeatedIn(querystring: string): string | undefined {
  if (querystring === '') return undefined
  const query = new URLSearchParams(querystring)
  return ['query', 'operationName', 'variables', 'extensions'].find((name) => query.getAll(name).length > 1)
}

const notAcceptable = (): Refusal =>
  refuse('not_acceptable', {
    detail: 'application/graphql-response+json and application/json are served',
  })

const unsupportedType = (): Refusal => refuse('unsupported_media_type', { detail: 'use application/json' })

const JSON_RANGES: ReadonlySet<string> = new Set(['application/json', 'application/*', '*/*'])

/** The first range that names a type of ours, in UTF-8, decides. */
function answerTypeFor(accept: string | undefined): AnswerType | undefined {
  for (const range of (accept || '*/*').replace(/\s/g, '').toLowerCase().split(',')) {
    const [media = '', ...parameters] = range.split(';')
    const charset = parameters.find((one) => one.includes('charset=')) ?? 'charset=utf-8'
    if (media === 'application/graphql-response+json' && charset === 'charset=utf-8') return media
    if (JSON_RANGES.has(media) && (charset === 'charset=utf-8' || charset === 'charset=utf8'))
      return 'application/json'
  }
  return undefined
}

/** Larger answers are sent in parts. */
const ONE_WRITE_BYTES = 65_536

const typed = (ctx: Koa.Context, type: AnswerType): void => {
  // Before the body, because Koa looks for a type of its own otherwise.
  ctx.res.setHeader('Content-Type', `${type}; charset=utf-8`)
}

/** Sends the errors of a request that was not executed. */
export function sendErrors(
  ctx: Koa.Context,
  { status, type }: { readonly status: 200 | 400; readonly type: AnswerType },
  errors: readonly GraphQLError[],
): void {
  typed(ctx, type)
  ctx.status = status
  ctx.body = JSON.stringify({ errors })
}

/** Sends the errors of a request whose data was left out. */
export function sendNothing(ctx: Koa.Context, type: AnswerType, errors: readonly GraphQLError[]): void {
  typed(ctx, type)
  ctx.status = 200
  ctx.body = JSON.stringify({ data: null, errors })
}

/** Sends the data of a request that was executed, and the errors of its fields. */
export function sendData(
  ctx: Koa.Context,
  type: AnswerType,
  data: JsonParts,
  errors: readonly GraphQLError[] | undefined,
): void {
  typed(ctx, type)
  ctx.status = 200
  const before = errors === undefined ? '{"data":' : `{"errors":${JSON.stringify(errors)},"data":`
  const whole = data.within(before, '}')
  if (whole.bytes <= ONE_WRITE_BYTES) {
    ctx.body = whole.parts.join('')
    return
  }
  ctx.body = Readable.from(whole.parts, { objectMode: false })
  ctx.length = whole.bytes
}
