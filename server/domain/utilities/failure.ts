// The structured no of an action: input that the caller can fix is a result, not an HTTP error.

export interface Failure {
  readonly ok: false
  readonly code: 'invalid'
  /** For people; says what would be accepted. Never echoes the input. */
  readonly message: string
  /** The same input never becomes right by waiting. */
  readonly retryable: false
}

/** `return invalid('ulid must be a 26-character ULID')`. Results other than failures never have an `ok` member. */
export const invalid = (message: string): Failure =>
  Object.freeze({ ok: false, code: 'invalid', message, retryable: false })

export const isFailure = (result: object): result is Failure => 'ok' in result && result.ok === false

/** What documents say about it, beside the schema of the good result. */
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
