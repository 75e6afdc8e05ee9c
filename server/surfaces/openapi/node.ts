// Nodes of the document, and the names of those that are components.

/** Any node; its shape is OpenAPI's business, and the tests'. */
export type Node = Readonly<Record<string, unknown>>

export interface Reference extends Node {
  readonly $ref: string
}

/** `entropy_observation` and `latestBeacon` as the name of a component: `EntropyObservation`, `LatestBeacon`. */
export const pascalCase = (name: string): string =>
  name.replace(/(?:^|[_-])([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
