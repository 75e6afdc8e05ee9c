// The structured negative result of an action. Input that the caller can fix is a result, not an HTTP error.

export interface Failure {
  readonly ok: false
  readonly code: 'invalid'
  /** For people. Says what would be accepted. Never repeats the input. */
  readonly message: string
  /** False, because the same input never becomes valid by waiting. */
  readonly retryable: false
}

/** `return invalid('ulid must be a 26-character ULID')`. Results other than failures never have an `ok` member. */
export const invalid = (message: string): Failure =>
  Object.freeze({ ok: false, code: 'invalid', message, retryable: false })

export const isFailure = (result: object): result is Failure => 'ok' in result && result.ok === false

/** The description in documents, beside the schema of the successful result. */
export const FAILURE_SCHEMA = Object.freeze({
  type: 'object',
  description: 'The input can be fixed by the caller.',
  properties: {
    ok: { type: 'boolean', const: false },
    code: { type: 'string', examples: ['invalid'] },
    message: { type: 'string', description: 'For people; may be reworded.' },
    retryable: { type: 'boolean' },
  },
  required: ['ok', 'code', 'message', 'retryable'],
})
