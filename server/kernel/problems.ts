// What is wrong with a request, collected so that all of it is told at once, and no more of it than the ceiling.
import { type Problem, Refusal } from './refusal.ts'

export interface Problems {
  /** @throws all that were noted, as soon as there are as many as are told: whoever is reading stops there */
  readonly note: (problem: Problem) => void
  /** One after the other, so that a reader which yields what it finds reads no further than it is asked to. */
  readonly noteAll: (found: Iterable<Problem>) => void
  /** What the work refuses is noted, and nothing answered. */
  readonly attempt: <T>(work: () => T) => T | undefined
  /** @throws all that were noted; returns when there are none */
  readonly refuse: () => void
  readonly all: () => readonly Problem[]
}

/** @param most the ceiling `problems` of `ceilings.ts`, or what is left of it */
export function collectProblems(most: number): Problems {
  const noted: Problem[] = []
  const refuse = (): void => {
    if (noted.length > 0) throw new Refusal(noted)
  }
  const note = (problem: Problem): void => {
    // What was given and is no good is missing to the rules behind it, but to nobody else.
    if (problem.code === 'required' && noted.some(({ path }) => isSame(path, problem.path))) return
    noted.push(problem)
    if (noted.length >= most) refuse()
  }
  const noteAll = (found: Iterable<Problem>): void => {
    for (const problem of found) note(problem)
  }
  return Object.freeze({
    note,
    noteAll,
    refuse,
    all: () => noted,
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
