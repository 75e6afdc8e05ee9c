// Traces: what is sent to a collector, under whose trace, what is never in them, and that nothing is loaded without one.
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { step } from '../../../server/kernel/step.ts'
import type { TraceChoices } from '../../../server/settings/trace_settings.ts'
import { startTracing } from '../../../server/watch/traces.ts'
import { ask } from '../../support/http.ts'
import { testApp } from '../../support/test_app.ts'
import { openTraceCollector, type TraceCollector } from '../../support/trace_collector.ts'
import { claimsOf, itemBody } from '../jsonapi/item_documents.ts'

const ROOT = join(import.meta.dirname, '..', '..', '..')
const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const PARENT = '00f067aa0ba902b7'
const SECRET = 'a-secret-of-the-collector'

const app = testApp()
let collector: TraceCollector
beforeAll(async () => {
  collector = await openTraceCollector()
})
afterAll(() => collector.close())

const choices = (chosen: Partial<TraceChoices> = {}): TraceChoices => ({
  endpoint: collector.endpoint,
  headers: { authorization: SECRET },
  serviceName: 'pharos-test',
  resource: { 'deployment.environment.name': 'suite' },
  sampler: 'parentbased_always_on',
  ratio: 1,
  ...chosen,
})

/** What `work` sends. The end of tracing sends everything. */
async function traced(work: () => Promise<unknown>, chosen?: Partial<TraceChoices>) {
  const before = collector.spans.length
  const end = startTracing(choices(chosen))
  try {
    await work()
  } finally {
    await end()
  }
  return collector.spans.slice(before)
}

const withParent = (flags: string) => ({ traceparent: `00-${TRACE}-${PARENT}-${flags}` })
const latest = (headers = {}) => ask(app.port, '/api/json/beacons/latest', { key: app.owner.key, headers })

describe('a request', () => {
  it('goes on with the trace of the client, and its statements are below it', async () => {
    const spans = await traced(async () => {
      await ask(app.port, '/api/json/items', {
        key: app.owner.key,
        headers: withParent('01'),
        body: itemBody({ claims: claimsOf('a-very-private-file'), tags: ['a-very-private-tag'] }),
      })
    })
    const request = spans.find(({ name }) => name === 'createItem')
    expect(request).toMatchObject({
      traceId: TRACE,
      parentSpanId: PARENT,
      attributes: { 'http.request.method': 'POST', 'http.response.status_code': 201 },
    })
    const submit = spans.find(({ name }) => name === 'submit')
    expect(submit).toMatchObject({ traceId: TRACE, attributes: { 'pharos.items': 1 } })
    const statements = spans.filter(({ attributes }) => attributes['db.system.name'] === 'postgresql')
    expect(statements.map(({ name }) => name)).toContain('SELECT api_keys')
    for (const { attributes, traceId, parentSpanId } of statements) {
      expect(traceId).toBe(TRACE)
      expect(parentSpanId).toBeDefined()
      expect(Object.keys(attributes).toSorted()).toEqual(['db.system.name', 'pharos.purpose'])
    }
    const [logged] = app.logged.filter(({ operation }) => operation === 'createItem')
    expect(logged).toMatchObject({ trace_id: TRACE, request_id: request?.attributes['pharos.request_id'] })
  })

  it('has a trace of its own without a client, and the log names it', async () => {
    const [span] = (await traced(() => latest())).filter(({ name }) => name === 'latestBeacon')
    expect(span?.traceId).not.toBe(TRACE)
    expect(app.logged.filter(({ trace_id }) => trace_id === span?.traceId)).toHaveLength(1)
  })

  it('is sampled as the setting and the client say', async () => {
    const named = (spans: readonly { readonly name: string }[]) =>
      spans.filter(({ name }) => name === 'latestBeacon').length
    expect(named(await traced(() => latest(withParent('00'))))).toBe(0)
    expect(named(await traced(() => latest(withParent('00')), { sampler: 'always_on' }))).toBe(1)
    expect(named(await traced(() => latest(), { sampler: 'parentbased_traceidratio', ratio: 0 }))).toBe(0)
    expect(named(await traced(() => latest(), { sampler: 'always_off' }))).toBe(0)
  })

  it('tells the collector which service it is, with the fields it was given', () => {
    expect(collector.resource()).toMatchObject({
      'service.name': 'pharos-test',
      'deployment.environment.name': 'suite',
    })
    expect(collector.headers().authorization).toBe(SECRET)
  })

  it('shows nothing secret: no key, claim, address or value of a query', () => {
    const [word = ''] = app.owner.key.split('.')
    for (const private_ of [word, app.owner.userId, app.owner.teamId, 'a-very-private', SECRET])
      expect(collector.text()).not.toContain(private_)
  })
})

describe('a step', () => {
  it('that fails says so by the name of its error alone', async () => {
    const spans = await traced(() =>
      step('finalize', () => Promise.reject(new RangeError('what somebody sent'))).catch(() => undefined),
    )
    expect(spans).toMatchObject([{ name: 'finalize', attributes: { 'error.type': 'RangeError' } }])
    expect(collector.text()).not.toContain('what somebody sent')
  })
})

it('a collector that is away costs nothing but the spans', async () => {
  const spans = await traced(
    async () => {
      for (let asked = 0; asked < 20; asked += 1) expect((await latest()).status).toBe(200)
    },
    { endpoint: 'http://127.0.0.1:9' },
  )
  expect(spans).toEqual([])
})

it('nothing of it is loaded where it is not wanted', async () => {
  const program = `
    import { registerHooks } from 'node:module'
    const loaded = []
    registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) })
    await import('./server/service/start_service.ts')
    // prom-client loads the names of OpenTelemetry itself, which do nothing.
    const traces = loaded.filter((url) => /opentelemetry\\/(?!api\\/)|watch\\/traces\\.ts/.test(url))
    console.log(JSON.stringify({ count: loaded.length, traces }))
    process.exit(0)`
  const run = promisify(execFile)
  const args = ['--input-type=module', '--eval', program]
  // Without what is compiled already it would take as long as the other tests together.
  const env = { ...process.env, NODE_COMPILE_CACHE: join(ROOT, 'node_modules', '.cache', 'compiled') }
  const { stdout } = await run(process.execPath, args, { cwd: ROOT, env })
  const { count, traces } = JSON.parse(stdout)
  expect(count).toBeGreaterThan(500)
  expect(traces).toEqual([])
})
