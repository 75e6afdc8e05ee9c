// Nodes of the document, the names of components, and the operations published over HTTP, each with its tag.
import type {
  Catalog,
  PublishedAction,
  PublishedOperation,
  PublishedResource,
} from '../../catalog/catalog.ts'

/** Any node. OpenAPI defines its shape, and tests check it. */
export type Node = Readonly<Record<string, unknown>>

export interface Reference extends Node {
  readonly $ref: string
}

/**
 * Converts a name to the name of a component: `entropy_observation` → `EntropyObservation`,
 * `latestBeacon` → `LatestBeacon`.
 */
export const componentName = (name: string): string =>
  name.replace(/(?:^|[_-])([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())

export type HttpOperation = Extract<PublishedOperation, { readonly http: string }> | PublishedAction

export interface PlacedOperation {
  readonly operation: HttpOperation
  /** Absent for an action. */
  readonly resource: PublishedResource | undefined
  readonly tag: string
}

/**
 * Tags operations by their resource's type. An action gets the resource whose path it extends, or
 * else its first path segment.
 */
export function placeOperations({ resources, actions }: Catalog): PlacedOperation[] {
  const owner = ({ http }: HttpOperation): string => {
    const path = http.split(' ')[1] ?? ''
    const resource = resources.find((one) => path.startsWith(`${one.path}/`))
    return resource?.type ?? path.split('/')[1] ?? ''
  }
  return [
    ...resources.flatMap((resource) =>
      resource.operations.flatMap((operation) =>
        'http' in operation ? [{ operation, resource, tag: resource.type }] : [],
      ),
    ),
    ...actions.map((operation) => ({ operation, resource: undefined, tag: owner(operation) })),
  ]
}
