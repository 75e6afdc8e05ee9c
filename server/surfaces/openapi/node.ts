// Nodes of the document, and the names of components.

/** Any node. OpenAPI defines its shape, and tests check it. */
export type Node = Readonly<Record<string, unknown>>

export interface Reference extends Node {
  readonly $ref: string
}

/**
 * Converts a name to the name of a component: `entropy_observation` → `EntropyObservation`,
 * `latestBeacon` → `LatestBeacon`.
 */
export const pascalCase = (name: string): string =>
  name.replace(/(?:^|[_-])([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
