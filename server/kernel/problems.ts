// Collects the problems of a request, so that one refusal reports all of them up to a ceiling.
import { type Problem, Refusal } from './refusal.ts'

export type Problems = ReturnType<typeof collectProblems>

/** @param most the ceiling `problems` of `ceilings.ts`, or what is left of it */
export function collectProblems(most: number) {
  const noted: Problem[] = []
  /** @throws a refusal with all noted problems. Returns when there are none. */
  const refuse = (): void => {
    if (noted.length > 0) throw new Refusal(noted)
  }
  /** @throws a refusal with all noted problems as soon as the ceiling is reached, so that reading stops there */
  const note = (problem: Problem): void => {
    // A later rule reports a rejected member as missing. Its first problem is enough.
    if (problem.code === 'required' && noted.some(({ path }) => isSame(path, problem.path))) return
    noted.push(problem)
    if (noted.length >= most) refuse()
  }
  /** Notes problems one by one, so that a generator stops at the ceiling. */
  const noteAll = (found: Iterable<Problem>): void => {
    for (const problem of found) note(problem)
  }
  return Object.freeze({
    note,
    noteAll,
    refuse,
    all: (): readonly Problem[] => noted,
    /** Runs the work. When it throws a refusal, notes its problems and returns undefined. */
    attempt: <T>(work: () => T): T | undefined => {
      try {
        return work()
      } catch (error) {
        if (!(error instanceof Refusal) || error.problems === noted) throw error
        noteAll(error.problems)
        return undefined
      }
    },
  })
}

const isSame = (one: Problem['path'], other: Problem['path']): boolean =>
  one !== undefined && other !== undefined && one.join('\0') === other.join('\0')
