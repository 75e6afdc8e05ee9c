// Every published route as a line, for people (`npm run routes`) and for the golden file that shows every change.
import { changesSomething } from '../contract/operation.ts'
import { type Catalog, catalog, type PublishedAction, type PublishedOperation } from './catalog.ts'

/** Operations over HTTP lie below it. */
export const API_ROOT = '/api/json'

/** Returns one line per operation: method, path, operation id, access and GraphQL field. */
export function routeList({ resources, actions }: Catalog): string {
  const operations = [...resources.flatMap(({ operations: own }) => own), ...actions]
  return `${operations.map(lineOf).join('\n')}\n`
}

function lineOf(operation: PublishedOperation | PublishedAction): string {
  const [method = '', path = ''] = 'http' in operation ? operation.http.split(' ') : []
  const cells = [
    method.padEnd(6),
    (path === '' ? '' : `${API_ROOT}${path}`).padEnd(42),
    operation.name.padEnd(24),
    operation.access.padEnd(7),
  ]
  return `${cells.join(' ')} ${rootOf(operation)} ${operation.graphql}`
}

/** The GraphQL root type that holds the operation. */
const rootOf = (operation: PublishedOperation | PublishedAction): 'query' | 'mutation' =>
  changesSomething(operation) ? 'mutation' : 'query'

if (process.argv[1] === import.meta.filename) process.stdout.write(routeList(catalog))
