// The last words of a program: whatever it writes, no more than a fixed amount is kept.

export interface LogTail {
  readonly add: (chunk: string) => void
  readonly text: () => string
  /** The last lines, ready to stand at the end of an error message. */
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
