// Metrics: every registry its own, every row of the table a metric, and a scrape that survives a reader's fault.
import { describe, expect, it } from 'vitest'
import { createMetrics, METRICS } from '../../server/kernel/metrics.ts'

const scrape = async (metrics: ReturnType<typeof createMetrics>, errors: unknown[] = []) =>
  (await metrics.scrape((error) => errors.push(error))).text

describe('metrics', () => {
  it('every row has a name, a help and its kind in the text', async () => {
    const text = await scrape(createMetrics())
    for (const [name, { kind, help }] of Object.entries(METRICS)) {
      expect(name).toMatch(/^pharos_[a-z_]+$/)
      expect(name.endsWith('_total')).toBe(kind === 'counter')
      expect(text).toContain(`# HELP ${name} ${help}\n# TYPE ${name} ${kind}\n`)
    }
  })

  it('counts, sets and times by label, apart from every other registry', async () => {
    const [one, other] = [createMetrics(), createMetrics()]
    one.count('pharos_http_requests_total', { surface: 'jsonapi', status: '2xx', credential: 'none' })
    one.count('pharos_http_requests_total', { surface: 'jsonapi', status: '2xx', credential: 'none' }, 2)
    one.set('pharos_block_height', {}, 7)
    one.time('pharos_finalize_seconds', {}, 0.3)
    const text = await scrape(one)
    expect(text).toContain('pharos_http_requests_total{surface="jsonapi",status="2xx",credential="none"} 3')
    expect(text).toContain('pharos_block_height 7')
    expect(text).toContain('pharos_finalize_seconds_bucket{le="0.25"} 0')
    expect(text).toContain('pharos_finalize_seconds_bucket{le="0.5"} 1')
    expect(await scrape(other)).not.toContain('jsonapi')
  })

  it('reads before each scrape; one that fails is told, and the others are still shown', async () => {
    const metrics = createMetrics()
    const errors: unknown[] = []
    const fault = new Error('away')
    let height = 0
    metrics.atScrape(() => {
      throw fault
    })
    metrics.atScrape(async () => metrics.set('pharos_block_height', {}, ++height))
    expect(await scrape(metrics, errors)).toContain('pharos_block_height 1')
    expect(await scrape(metrics, errors)).toContain('pharos_block_height 2')
    expect(errors).toEqual([fault, fault])
  })
})
