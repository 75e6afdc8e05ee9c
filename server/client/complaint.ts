// The error of a command that cannot continue: a sentence for the person, advice, and the exit code.

/** 1: the answer is no. 2: the question could not be asked (unreadable input, wrong usage). */
export type ExitCode = 0 | 1 | 2

export class Complaint extends Error {
  override readonly name = 'Complaint'
  readonly exitCode: ExitCode
  readonly advice: string | undefined

  constructor(message: string, { advice, exitCode = 2 }: { advice?: string; exitCode?: ExitCode } = {}) {
    super(message)
    this.advice = advice
    this.exitCode = exitCode
  }
}

export const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** The system's code of a failed file or network call, e.g. `ENOENT`. */
export const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
