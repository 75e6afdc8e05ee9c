// The JSON:API error object: one problem with its code and its place. Error documents and results contain it.
import { type Problem, REFUSALS } from '../kernel/refusal.ts'

/**
 * @param told a problem and its id, see `errorId`
 * @param root the pointer that the problem's path is relative to: `/data/attributes`, or `/data` for an action
 */
export const errorObject = (told: Problem & { readonly id: string }, root: string) => {
  const { id, code, detail, path, parameter, meta = {} } = told
  return {
    id,
    status: String(REFUSALS[code].status),
    code,
    title: titleOf(code),
    detail,
    ...(path === undefined ? {} : { source: { pointer: pointerOf(path, root) } }),
    ...(parameter === undefined ? {} : { source: { parameter } }),
    meta,
  }
}

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

/**
 * The same place where there are no query parameters, by which the parts that the surfaces share name it:
 * `filter[state][lt]`, and `page[after]`, which is `after` alone.
 */
export function parameterPath(parameter: string): readonly string[] {
  const [first = '', ...rest] = parameter.split('[').map((name) => name.replace(/\]$/, ''))
  return first === 'page' ? rest : [first, ...rest]
}
