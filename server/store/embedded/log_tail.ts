// The last lines of a program's output. Keeps a fixed amount, however much the program writes.

export interface LogTail {
  readonly add: (chunk: string) => void
  readonly text: () => string
  /** The last lines, for the end of an error message. */
  readonly lastLines: (count?: number) => string
}

export const logTail = (ceiling = 64 * 1024): LogTail => {
  let kept = ''
  return {
    add: (chunk) => {
      kept = (kept + chunk).slice(-ceiling)
    },
    text: () => kept,
    lastLines: (count = 20) => kept.trimEnd().split('\n').slice(-count).join('\n'),
  }
}
