// One exit code for many answers.
import type { ExitCode } from '../../shared/cli/terminal.ts'

const WORST_FIRST: readonly ExitCode[] = [1, 2, 4, 3]

export const worst = (codes: readonly ExitCode[]): ExitCode =>
  WORST_FIRST.find((code) => codes.includes(code)) ?? 0
