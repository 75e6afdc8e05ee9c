// Error bodies: every problem of a request at once, each with its code, its place and its id.
import type { AnsweredProblem } from './problem_of.ts'

/** The media type of all our documents; it carries no charset. */
export const JSON_API = 'application/vnd.api+json'

export interface ErrorDocument {
  readonly jsonapi: { readonly version: '1.1' }
  readonly errors: readonly object[]
}

/** e.g. `invalid_keyset` → `InvalidKeyset` */
const titleOf = (code: string): string =>
  code.replace(/(^|_)([a-z])/g, (_, __, letter: string) => letter.toUpperCase())

/** @param pointerRoot where the members of a problem's path begin: `/data/attributes`, or `/data` of an action */
export const errorDocument = (problems: readonly AnsweredProblem[], pointerRoot: string): ErrorDocument => ({
  jsonapi: { version: '1.1' },
  errors: problems.map(({ id, status, code, detail, path, parameter, meta }) => ({
    id,
    status: String(status),
    code,
    title: titleOf(code),
    detail,
    ...(path === undefined ? {} : { source: { pointer: pointerOf(path, pointerRoot) } }),
    ...(parameter === undefined ? {} : { source: { parameter } }),
    meta: meta ?? {},
  })),
})

/** RFC 6901. A path that begins with an empty name is absolute already: `['', 'data', 'type']`. */
function pointerOf(path: readonly string[], root: string): string {
  const [first, ...rest] = path
  const names = first === '' ? rest : path
  const escaped = names.map((name) => `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
  return first === '' ? escaped : `${root}${escaped}`
}
