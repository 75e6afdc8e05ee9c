// Runs checks one after another, each with a time limit, and shows what they found.
import { plainLine } from '../kernel/plain_line.ts'
import type { Check, DoctorFinding } from './examined.ts'

/** Milliseconds for one check. */
const PATIENCE_MS = 15_000

export interface CheckFinding extends DoctorFinding {
  readonly check: string
}

/** Yields each finding as soon as it is known. Never throws: a check that fails is a finding. */
export async function* examine(
  checks: readonly Check[],
  {
    secrets,
    patienceMs = PATIENCE_MS,
  }: { readonly secrets: readonly string[]; readonly patienceMs?: number },
): AsyncGenerator<CheckFinding> {
  for (const { name, run } of checks)
    for (const { text, advice, ...finding } of await found(run, patienceMs))
      yield {
        check: name,
        ...finding,
        text: without(secrets, text),
        ...(advice === undefined ? {} : { advice: without(secrets, advice) }),
      }
}

async function found(run: Check['run'], patienceMs: number): Promise<readonly DoctorFinding[]> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`No answer within ${patienceMs / 1_000} s.`)), patienceMs)
  })
  try {
    return await Promise.race([run(), late])
  } catch (error) {
    // The first line: what follows is a stack for programmers, or repeats what was asked.
    const [text = ''] = (error instanceof Error ? error.message : String(error)).split('\n')
    return [{ state: 'wrong', text }]
  } finally {
    clearTimeout(timer)
  }
}

/** Messages of other programs may repeat a part of an address. */
const without = (secrets: readonly string[], text: string): string =>
  secrets.reduce((shown, secret) => (secret === '' ? shown : shown.replaceAll(secret, '(hidden)')), text)

const COLOURS = { ok: 32, warning: 33, wrong: 31 } as const
const WORDS = { ok: 'ok', warning: 'look', wrong: 'WRONG' } as const

/** One finding as lines for a person. */
export function told({ check, state, text, advice }: CheckFinding, isTerminal: boolean): string {
  const word = WORDS[state].padEnd(6)
  const mark = isTerminal ? `\u001b[${COLOURS[state]}m${word}\u001b[0m` : word
  const first = `${mark}${check.padEnd(14)}${plainLine(text)}`
  return advice === undefined ? first : `${first}\n${' '.repeat(20)}${plainLine(advice)}`
}
