// What a check of an installation found, in plain words.

export interface Finding {
  /** `wrong`: something does not work, or will not. `warning`: it works, and somebody should know. */
  readonly state: 'ok' | 'warning' | 'wrong'
  /** One sentence, without a secret. */
  readonly text: string
  /** What to do. */
  readonly advice?: string
}

export interface Check {
  readonly name: string
  /** May throw: the error's message becomes the finding. */
  readonly run: () => Promise<readonly Finding[]>
}

export const ok = (text: string): Finding => ({ state: 'ok', text })
export const warning = (text: string, advice: string): Finding => ({ state: 'warning', text, advice })
export const wrong = (text: string, advice: string): Finding => ({ state: 'wrong', text, advice })

/** e.g. `3 min`. Whole units, rounded down. */
export function roughly(ms: number): string {
  const units = [
    [86_400_000, 'd'],
    [3_600_000, 'h'],
    [60_000, 'min'],
    [1_000, 's'],
  ] as const
  const [size, name] = units.find(([each]) => ms >= each) ?? [1, 'ms']
  return `${Math.floor(ms / size)} ${name}`
}
