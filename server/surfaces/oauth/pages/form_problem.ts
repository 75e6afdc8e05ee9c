// Turns a refusal into the sentence that a form shows.
import type Koa from 'koa'
import { type Problem, Refusal } from '../../../kernel/refusal.ts'
import { retryAfterHeader } from '../../http/problem_of.ts'
import type { FormProblem } from './form_parts.ts'
import { spokenWait } from './spoken_wait.ts'

export interface Tried {
  readonly problem: FormProblem
  readonly status: number
}

/** Refusals whose usual detail is meant for programs. */
const SPOKEN: Readonly<Partial<Record<string, string>>> = {
  overloaded: 'Too many people sign in just now. Please try again in a moment.',
  database_unavailable: 'That could not be stored just now. Please try again in a moment.',
}

/** Names of fields in domain verbs, as the form names them, and how a person calls them. */
const FIELDS: Readonly<Partial<Record<string, readonly [name: string, spoken: string]>>> = {
  email: ['email', 'The e-mail address'],
  firstName: ['first_name', 'The first name'],
  lastName: ['last_name', 'The last name'],
  new_password: ['new_password', 'The new password'],
}

/** What the page shows of an expected no. Other errors are thrown again. */
export function triedIn(ctx: Koa.Context, error: unknown): Tried {
  const [first] = error instanceof Refusal ? error.problems : []
  if (!(error instanceof Refusal) || first === undefined) throw error
  ctx.set(retryAfterHeader(error.problems))
  ctx.state.answered = { ...ctx.state.answered, codes: error.problems.map(({ code }) => code) }
  return { problem: spoken(first), status: error.status }
}

function spoken(problem: Problem): FormProblem {
  const { code, detail, path } = problem
  const [field, name] = FIELDS[path?.[0] ?? ''] ?? []
  if (code === 'rate_limited') return { text: `Too many tries. Please try again in ${spokenWait(problem)}.` }
  const text =
    SPOKEN[code] ??
    `${name === undefined ? detail.charAt(0).toUpperCase() + detail.slice(1) : `${name} ${detail}`}.`
  return { text, ...(field === undefined ? {} : { field }) }
}
