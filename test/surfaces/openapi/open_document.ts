// The document as tests walk it: its operations with parameters and responses resolved.
import { catalog } from '../../../server/catalog/catalog.ts'
import { ceilings } from '../../../server/kernel/ceilings.ts'
import { buildOpenApi } from '../../../server/surfaces/openapi/build_openapi.ts'
import { asSchema, type Schema } from './json_schema.ts'

export const EXAMPLE_BASE = 'http://localhost:4000'

const CEILINGS = { ...ceilings(), body_bytes: 528_384 }

export const openDocument = (base = EXAMPLE_BASE): Schema =>
  // As it goes over the wire: what JSON leaves out is not there.
  asSchema(JSON.parse(JSON.stringify(buildOpenApi(catalog, base, '1.2.3', CEILINGS))))

/** What a JSON pointer such as `#/components/schemas/Item` names. @throws when there is nothing */
export const resolver =
  (document: Schema) =>
  (reference: string): Schema =>
    asSchema(
      reference
        .replace(/^#\//, '')
        .split('/')
        .reduce<unknown>((at, name) => asSchema(at)[name], document),
    )

export interface DocumentedParameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required: boolean
  readonly style: 'form' | 'deepObject'
  readonly explode: boolean
  readonly schema: Schema
}

export interface DocumentedOperation {
  readonly id: string
  readonly tag: string
  readonly method: string
  /** e.g. `/api/json/items/{id}` */
  readonly path: string
  readonly parameters: readonly DocumentedParameter[]
  /** Of the request body, with its example. */
  readonly body: { readonly schema: Schema; readonly example: unknown } | undefined
  /** By status. */
  readonly responses: ReadonlyMap<number, DocumentedResponse>
}

export interface DocumentedResponse {
  readonly headers: readonly string[]
  /** By media type; empty for no body. */
  readonly content: ReadonlyMap<string, Schema>
  readonly examples: readonly unknown[]
}

export function operationsOf(document: Schema): DocumentedOperation[] {
  const resolve = resolver(document)
  const follow = (node: unknown): Schema => {
    const schema = asSchema(node)
    return typeof schema.$ref === 'string' ? resolve(schema.$ref) : schema
  }
  const examplesOf = (media: Schema): unknown[] =>
    Object.values(asSchema(media.examples ?? {})).map((one) => follow(one).value)
  const responseOf = (node: unknown): DocumentedResponse => {
    const { headers = {}, content = {} } = follow(node)
    const media = Object.entries(asSchema(content)).map(([type, one]) => [type, asSchema(one)] as const)
    return {
      headers: Object.keys(asSchema(headers)),
      content: new Map(media.map(([type, { schema }]) => [type, asSchema(schema)])),
      examples: media.flatMap(([, one]) => examplesOf(one)),
    }
  }
  const bodyOf = (node: unknown): DocumentedOperation['body'] => {
    if (node === undefined) return undefined
    const media = asSchema(asSchema(asSchema(node).content)['application/vnd.api+json'])
    return { schema: asSchema(media.schema), example: examplesOf(media)[0] }
  }
  return Object.entries(asSchema(document.paths)).flatMap(([path, item]) =>
    Object.entries(asSchema(item)).map(([method, node]) => {
      const operation = asSchema(node)
      return {
        id: String(operation.operationId),
        tag: String((operation.tags as unknown[])[0]),
        method: method.toUpperCase(),
        path,
        parameters: (operation.parameters as unknown[]).map((one) => parameterOf(follow(one))),
        body: bodyOf(operation.requestBody),
        responses: new Map(
          Object.entries(asSchema(operation.responses)).map(([status, one]) => [
            Number(status),
            responseOf(one),
          ]),
        ),
      }
    }),
  )
}

function parameterOf({ name, in: place, required, style, explode, schema }: Schema): DocumentedParameter {
  if (place !== 'path' && place !== 'query' && place !== 'header') throw new Error(`In ${String(place)}?`)
  return {
    name: String(name),
    in: place,
    required: required === true,
    style: style === 'deepObject' ? 'deepObject' : 'form',
    explode: explode !== false,
    schema: asSchema(schema),
  }
}
