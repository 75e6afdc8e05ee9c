// What a caller needs to be allowed to run an operation.

/**
 * `read` and `write` are allowed to every client that a person gave that scope. `account` guards what changes or shows
 * who can act for the account: only an API key and our own console have it, on reads as well as on writes.
 */
export type Access = 'read' | 'write' | 'account'

/** What tells whether an operation changes anything. Its access does not: `account` guards reads too. */
interface Told {
  readonly kind: 'list' | 'get' | 'read' | 'create' | 'update' | 'delete' | 'mutate' | 'action'
  readonly graphqlShape?: string
}

/** True for operations that change something. On GraphQL they are the mutations. */
export function changesSomething({ kind, graphqlShape }: Told): boolean {
  switch (kind) {
    case 'list':
    case 'get':
    case 'read':
      return false
    case 'create':
    case 'update':
    case 'delete':
    case 'mutate':
      return true
    case 'action':
      return graphqlShape === 'mutation'
    default:
      return kind satisfies never
  }
}
