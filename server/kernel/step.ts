// Steps of the service's work that can be traced. While nobody listens, a step is a function call.
import type { RequestScope } from './request_scope.ts'

export type StepName =
  /** An HTTP request, under the name of its operation. */
  | 'request'
  /** A statement of the database, under its verb and table. */
  | 'statement'
  /** Making a block; reading its leaves and storing their tree; signing and storing the block itself. */
  | 'finalize'
  | 'finalize tree'
  | 'finalize block'
  /** Storing items that arrived together. */
  | 'submit'
  /** Storing the item of a round. */
  | 'round'
  /** A request to the receiver of a webhook. */
  | 'webhook attempt'
  /** Advancing the epochs of the public chains. */
  | 'commit'
  /** Asking the public sources of entropy. */
  | 'capture'

/** Never a secret, a claim, or a value of a query. */
type StepFacts = Record<string, string | number | boolean>

export interface Step {
  readonly name: StepName
  /** A name from a closed set, when it says more than the name of the step. */
  title?: string | undefined
  readonly facts: StepFacts
  /** Set when the step failed and does not throw. */
  failed?: boolean
}

interface StepDetails {
  /** Called only when somebody listens. */
  readonly describe?: () => { readonly title?: string; readonly facts: StepFacts }
  /** The request that the step answers. */
  readonly scope?: RequestScope
}

/** Runs the step, and whatever it causes. */
export type StepListener = <T>(
  step: Step,
  work: () => Promise<T>,
  scope: RequestScope | undefined,
) => Promise<T>

let listener: StepListener | undefined

/** One listener in a process. Returns the function that ends it. */
export function listenToSteps(listen: StepListener): () => void {
  listener = listen
  return () => {
    if (listener === listen) listener = undefined
  }
}

/** Runs `work`. It may add facts to the step; nobody reads them while nobody listens. */
export function step<T>(
  name: StepName,
  work: (step: Step) => Promise<T>,
  { describe, scope }: StepDetails = {},
): Promise<T> {
  if (listener === undefined) return work({ name, facts: {} })
  const made: Step = { name, facts: {}, ...describe?.() }
  return listener(made, () => work(made), scope)
}
