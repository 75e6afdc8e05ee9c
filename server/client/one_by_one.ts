// Several inputs of one command: one that fails keeps none of the others from being answered.
import type { Surroundings } from '../../shared/cli/command.ts'
import { Complaint, type ExitCode, sayDocument } from '../../shared/cli/terminal.ts'

/**
 * With `--json` prints a list of what is shown of each, once all are answered.
 * @param answer of one of them, which it prints itself without `--json`
 * @param tell what is told of one that failed
 * @returns how each ended
 */
export async function oneByOne(
  { terminal, values: { json } }: Surroundings,
  sources: readonly string[],
  answer: (source: string) => Promise<{ readonly code: ExitCode; readonly shown: object }>,
  tell: (complaint: Complaint, source: string) => void,
): Promise<readonly ExitCode[]> {
  const codes: ExitCode[] = []
  const all: object[] = []
  const add = (source: string, code: ExitCode, shown: object): void => {
    codes.push(code)
    if (json === true) all.push({ source, exit_code: code, ...shown })
  }
  for (const source of sources)
    try {
      const { code, shown } = await answer(source)
      add(source, code, shown)
    } catch (error) {
      if (!(error instanceof Complaint)) throw error
      add(source, error.exitCode, { error: error.message })
      tell(error, source)
    }
  if (json === true) sayDocument(terminal, all)
  return codes
}

const WORST_FIRST: readonly ExitCode[] = [1, 2, 4, 3]

/** One exit code for many answers. */
export const worst = (codes: readonly ExitCode[]): ExitCode =>
  WORST_FIRST.find((code) => codes.includes(code)) ?? 0
