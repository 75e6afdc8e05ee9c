// The JSON:API error object: one problem with its code and its place. Error documents and results contain it.
import { type Problem, REFUSALS } from '../kernel/refusal.ts'

/** It has no id. Error documents add the id of the log line; problems inside a result are not logged one by one. */
export interface ErrorObject {
  readonly status: string
  readonly code: string
  readonly title: string
  readonly detail: string
  readonly source?: { readonly pointer: string } | { readonly parameter: string }
  readonly meta: Readonly<Record<string, unknown>>
}

/** @param root the pointer that the problem's path is relative to: `/data/attributes`, or `/data` for an action */
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

/** Builds an RFC 6901 pointer. A path whose first name is empty is already absolute: `['', 'data', 'type']`. */
function pointerOf(path: readonly string[], root: string): string {
  const [first, ...rest] = path
  const names = first === '' ? rest : path
  const escaped = names.map((name) => `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
  return first === '' ? escaped : `${root}${escaped}`
}
