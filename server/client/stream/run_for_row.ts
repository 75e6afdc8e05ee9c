// `--exec`: a program that is started for each row, one after the other. The row is on its standard input and nowhere
// else: no shell reads it.
import { spawn } from 'node:child_process'
import { Complaint, codeOf, wordsOf } from '../../../shared/cli/terminal.ts'

/** A program and its words. A word has no spaces in it, because nothing here reads quotes. */
export function readProgram(text: string): readonly [string, ...string[]] {
  const [program, ...words] = text.split(/\s+/).filter((word) => word !== '')
  if (program === undefined) throw new Complaint('--exec names no program.')
  return [program, ...words]
}

/** Resolves with how it ended: undefined when all is well. @throws Complaint when it cannot be started */
export function runForRow(
  [program, ...words]: readonly [string, ...string[]],
  line: string,
): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, words, { stdio: ['pipe', 'inherit', 'inherit'], shell: false })
    child.on('error', (error) =>
      reject(
        new Complaint(
          codeOf(error) === 'ENOENT'
            ? `There is no program ${program}.`
            : `${program} could not be started: ${wordsOf(error)}`,
        ),
      ),
    )
    child.on('close', (code, signal) => resolve(code === 0 ? undefined : `${code ?? signal}`))
    // It may end without reading.
    child.stdin.on('error', () => undefined)
    child.stdin.end(`${line}\n`)
  })
}
