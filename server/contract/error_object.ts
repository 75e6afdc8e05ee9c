// The error object of JSON:API: one problem, with its code and its place, wherever it is told.
import { type Problem, REFUSALS } from '../kernel/refusal.ts'

/** Without the id: that is the log's, and what is told within a result is not logged one by one. */
export interface ErrorObject {
  readonly status: string
  readonly code: string
  readonly title: string
  readonly detail: string
  readonly source?: { readonly pointer: string } | { readonly parameter: string }
  readonly meta: Readonly<Record<string, unknown>>
}

/** @param root where the members of the problem's path begin: `/data/attributes`, or `/data` of an action */
export const errorObject = ({ code, detail, path, parameter, meta }: Problem, root: string): ErrorObject => ({
  status: String(REFUSALS[code].status),
  code,
  title: titleOf(code),
  detail,
  ...(path === undefined ? {} : { source: { pointer: pointerOf(path, root) } }),
  ...(parameter === undefined ? {} : { source: { parameter } }),
  meta: meta ?? {},
})

/** e.g. `invalid_keyset` → `InvalidKeyset` */
const titleOf = (code: string): string =>
  code.replace(/(^|_)([a-z])/g, (_, __, letter: string) => letter.toUpperCase())

/** RFC 6901. A path that begins with an empty name is absolute already: `['', 'data', 'type']`. */
function pointerOf(path: readonly string[], root: string): string {
  const [first, ...rest] = path
  const names = first === '' ? rest : path
  const escaped = names.map((name) => `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
  return first === '' ? escaped : `${root}${escaped}`
}
