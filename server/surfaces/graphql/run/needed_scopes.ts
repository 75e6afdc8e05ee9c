// The scopes that an operation needs: queries read, mutations write, and some of both concern the account.
import type { Catalog } from '../../../catalog/catalog.ts'
import type { Scope } from '../../../domain/accounts/scope.ts'
import { API_SCOPE_OF } from '../../http/insufficient_scope.ts'
import { type Rooted, rootFields } from '../limits/root_fields.ts'

/**
 * Returns a function that tells the scopes of an operation. Fields that do not exist, and those of introspection,
 * need what every query or mutation needs. Fields that a directive skips count too.
 */
export function neededScopes({ resources, actions }: Catalog): (rooted: Rooted) => readonly Scope[] {
  const published = [...resources.flatMap(({ operations }) => operations), ...actions]
  const ofAccount = new Set(
    published.flatMap(({ access, graphql }) => (access === 'account' ? [graphql] : [])),
  )
  return (rooted) => {
    const usual = rooted.operation.operation === 'mutation' ? 'write' : 'read'
    const needed = new Set(
      rootFields(rooted).map(({ name }) => API_SCOPE_OF[ofAccount.has(name.value) ? 'account' : usual]),
    )
    return needed.size === 0 ? [API_SCOPE_OF[usual]] : [...needed].sort()
  }
}
