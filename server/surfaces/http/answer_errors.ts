// Answers every error that a surface did not answer itself, with a JSON body in that surface's format.
import type Koa from 'koa'
import type { Log } from '../../kernel/log.ts'
import { errorDocument } from './error_document.ts'
import type { AnsweredProblem } from './problem_of.ts'
import { refuseWith } from './refuse_with.ts'
import { pathOf } from './request_log.ts'

export interface ErrorForm {
  /** Paths below this prefix use this format. */
  readonly prefix: string
  readonly contentType?: string
  readonly body: (problems: readonly AnsweredProblem[]) => object
}

/**
 * @param forms the first form with a matching prefix applies; other paths get a JSON:API error document as plain JSON
 * @throws the error when the head of the answer was sent, which ends the connection: the client sees that the answer is
 * incomplete
 */
export const answerErrors =
  (forms: readonly ErrorForm[], log: Log) =>
  (ctx: Koa.Context, error: unknown): void => {
    if (ctx.headerSent) throw error
    const problems = refuseWith(ctx, error, log)
    const path = pathOf(ctx)
    const form = forms.find(({ prefix }) => path === prefix || path?.startsWith(`${prefix}/`))
    const { contentType = 'application/json', body } = form ?? PLAIN
    ctx.set('Content-Type', contentType)
    ctx.vary('Accept')
    ctx.set('Cache-Control', 'no-store')
    ctx.body = JSON.stringify(body(problems))
  }

const PLAIN: Omit<ErrorForm, 'prefix'> = Object.freeze({
  body: (problems: readonly AnsweredProblem[]) => errorDocument(problems, ''),
})
