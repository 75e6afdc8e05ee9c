// The last net: what a surface could not answer itself is a 500 with a JSON body all the same, in the surface's own form.
import type { Middleware } from 'koa'
import type { Log } from '../../kernel/log.ts'
import { errorDocument } from './error_document.ts'
import { type AnsweredProblem, problemsOf, retryAfterHeader, statusOf } from './problem_of.ts'

export interface FaultForm {
  /** Of the paths that are answered so. */
  readonly prefix: string
  readonly contentType?: string
  readonly body: (problems: readonly AnsweredProblem[]) => object
}

/** @param forms the first whose prefix fits; elsewhere the error document of JSON:API as plain JSON */
export const answerFaults =
  (forms: readonly FaultForm[], log: Log): Middleware =>
  async (ctx, next) => {
    try {
      await next()
    } catch (error) {
      // A head that is out cannot be taken back: the connection ends, and the client sees that it is not whole.
      if (ctx.headerSent) throw error
      const problems = problemsOf(error, log)
      const form = forms.find(({ prefix }) => ctx.path === prefix || ctx.path.startsWith(`${prefix}/`))
      const { contentType = 'application/json', body } = form ?? PLAIN
      ctx.status = statusOf(problems)
      ctx.state.answered = {
        ...ctx.state.answered,
        codes: problems.map(({ code }) => code),
        error_id: problems[0]?.id,
      }
      ctx.set(retryAfterHeader(problems))
      ctx.set('Content-Type', contentType)
      ctx.vary('Accept')
      ctx.set('Cache-Control', 'no-store')
      ctx.body = JSON.stringify(body(problems))
    }
  }

const PLAIN: Omit<FaultForm, 'prefix'> = Object.freeze({
  body: (problems: readonly AnsweredProblem[]) => errorDocument(problems, ''),
})
