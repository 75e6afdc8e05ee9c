// The documents of the JSON:API surface, spelled out strictly: a member too many or too few fails the test that reads it.
import { expect } from 'vitest'
import { z } from 'zod'
import type { Answer } from '../../support/http.ts'

const version = z.strictObject({ version: z.literal('1.1') })
const empty = z.strictObject({})
const instant = z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
const uuid = z.string().regex(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
const hex64 = z.string().regex(/^[0-9a-f]{64}$/)

export const bareBeacon = z.strictObject({
  id: uuid,
  hash: hex64,
  timestamp: instant,
  previous_hash: hex64,
})

const resource = z.strictObject({
  type: z.string(),
  id: z.string(),
  attributes: z.record(z.string(), z.unknown()),
  relationships: z.record(z.string(), z.object({ links: empty, meta: empty, data: z.unknown().optional() })),
  links: empty,
  meta: empty,
})

const page = z.strictObject({
  data: z.array(resource),
  jsonapi: version,
  links: z.strictObject({
    first: z.string(),
    self: z.string(),
    next: z.string().nullable(),
    prev: z.string().nullable(),
  }),
  meta: z.strictObject({
    page: z.strictObject({ limit: z.number(), total: z.number().optional() }),
  }),
})

const document = z.strictObject({
  data: resource,
  jsonapi: version,
  links: z.strictObject({ self: z.string() }),
  meta: empty,
})

export const errorEntry = z.strictObject({
  id: uuid,
  status: z.string().regex(/^\d{3}$/),
  code: z.string().regex(/^[a-z_]+$/),
  title: z.string().regex(/^[A-Z][A-Za-z]+$/),
  detail: z.string().min(1),
  source: z
    .union([z.strictObject({ pointer: z.string() }), z.strictObject({ parameter: z.string() })])
    .optional(),
  meta: z.record(z.string(), z.unknown()),
})

const errorDocument = z.strictObject({ jsonapi: version, errors: z.array(errorEntry).min(1) })

export type Resource = z.infer<typeof resource>
export type Page = z.infer<typeof page>
export type ErrorEntry = z.infer<typeof errorEntry>

const MEDIA_TYPE = 'application/vnd.api+json'

/** An answer that is long enough is also there compressed. */
const VARIES = expect.stringMatching(/^Accept(, Accept-Encoding)?$/)

function read<T>(schema: z.ZodType<T>, answer: Answer): T {
  expect(answer.headers).toMatchObject({ 'content-type': MEDIA_TYPE, vary: VARIES })
  return schema.parse(answer.json())
}

export function pageOf(answer: Answer): Page {
  expect(answer.status, answer.text).toBe(200)
  return read(page, answer)
}

export function resourceOf(answer: Answer, status = 200): Resource {
  expect(answer.status, answer.text).toBe(status)
  return read(document, answer).data
}

export function beaconOf(answer: Answer): z.infer<typeof bareBeacon> {
  expect(answer.status, answer.text).toBe(200)
  return read(bareBeacon, answer)
}

/** The entries of an error document, whose gravest status is that of the answer. */
export function errorsOf(answer: Answer): ErrorEntry[] {
  const { errors } = read(errorDocument, answer)
  expect(Math.max(...errors.map(({ status }) => Number(status)))).toBe(answer.status)
  return errors
}

/** `400 invalid_keyset page[after]`: status, code and place of every entry, in order of place. */
export const refusals = (answer: Answer): string[] =>
  errorsOf(answer)
    .map(({ status, code, source }) => [status, code, ...Object.values(source ?? {})].join(' '))
    .toSorted()

/** An error body without the ids, which are never the same twice. */
export const withoutIds = (answer: Answer): unknown => errorsOf(answer).map(({ id: _, ...entry }) => entry)
