// What is counted of a request: a fault of ours wherever it stands among its codes, because an alert waits for the first.
import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import Koa from 'koa'
import { expect, it } from 'vitest'
import { createMetrics } from '../../../server/kernel/metrics.ts'
import { countRequest } from '../../../server/surfaces/http/answer_request.ts'

it('a fault is counted in a series that was shown as 0 before it', async () => {
  const metrics = createMetrics()
  const shown = async () =>
    /^pharos_http_faults_total (\d+)$/m.exec((await metrics.scrape(() => undefined)).text)?.[1]
  const answer = (codes: readonly string[]): void => {
    const request = new IncomingMessage(new Socket())
    request.url = '/gql'
    const ctx = new Koa().createContext(request, new ServerResponse(request))
    ctx.state.answered = { codes }
    countRequest(metrics, ctx, { status: 200, ms: 1 })
  }
  expect(await shown()).toBe('0')
  answer([])
  answer(['not_found'])
  expect(await shown()).toBe('0')
  answer(['not_found', 'internal'])
  expect(await shown()).toBe('1')
})
