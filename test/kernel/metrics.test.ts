// Metrics: every registry its own, every row of the table a metric, and a scrape that survives a reader's fault.
import { describe, expect, it } from 'vitest'
import type { MetricRow } from '../../server/kernel/metric_table.ts'
import { createMetrics, METRICS, scrapeTogether } from '../../server/kernel/metrics.ts'
import { expectGolden } from '../surfaces/http/golden.ts'

const scrape = async (metrics: ReturnType<typeof createMetrics>, errors: unknown[] = []) =>
  (await metrics.scrape((error) => errors.push(error))).text

describe('metrics', () => {
  it('every row has a name, a help and its kind in the text', async () => {
    const text = await scrape(createMetrics())
    for (const [name, { kind, help }] of Object.entries(METRICS)) {
      expect(name).toMatch(/^pharos_[a-z_]+$/)
      expect(name.endsWith('_total')).toBe(kind === 'counter')
      if (kind === 'histogram') expect(name).toMatch(/_(seconds|items|leaves)$/)
      expect(text).toContain(`# HELP ${name} ${help}\n# TYPE ${name} ${kind}\n`)
    }
  })

  it('counts, sets and times by label, apart from every other registry', async () => {
    const [one, other] = [createMetrics(), createMetrics()]
    one.count('pharos_http_requests_total', {
      surface: 'jsonapi',
      operation: 'getItem',
      status: '2xx',
      credential: 'none',
    })
    one.count(
      'pharos_http_requests_total',
      { surface: 'jsonapi', operation: 'getItem', status: '2xx', credential: 'none' },
      2,
    )
    one.set('pharos_block_height', {}, 7)
    one.observe('pharos_finalize_seconds', {}, 0.3)
    const text = await scrape(one)
    expect(text).toContain(
      'pharos_http_requests_total{surface="jsonapi",operation="getItem",status="2xx",credential="none"} 3',
    )
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

  it('a gauge is absent until its value is known, and again when it no longer is', async () => {
    const metrics = createMetrics()
    const shown = async () =>
      (await scrape(metrics)).split('\n').filter((line) => /^pharos_(block_height|commitments)/.test(line))
    expect(await shown()).toEqual([])
    metrics.set('pharos_block_height', {}, 7)
    metrics.set('pharos_commitments', { state: 'pending' }, 2)
    expect(await shown()).toEqual(['pharos_block_height 7', 'pharos_commitments{state="pending"} 2'])
    for (const name of ['pharos_block_height', 'pharos_commitments'] as const) metrics.unset(name)
    expect(await shown()).toEqual([])
  })

  it('several processes show one page: counts are added, and each gauge is joined as the table says', async () => {
    const processes = [3, 5].map((value) => {
      const metrics = createMetrics()
      metrics.set('pharos_block_height', {}, value)
      metrics.set('pharos_block_age_seconds', {}, value)
      metrics.set('pharos_database_waiting', { purpose: 'read' }, value)
      metrics.count('pharos_chain_replaced_total', {}, value)
      metrics.observe('pharos_finalize_seconds', {}, value / 10)
      return metrics
    })
    const none = () => undefined
    const own = await Promise.all(processes.map((metrics) => metrics.snapshot(none)))
    const { type, text } = await scrapeTogether(structuredClone(own))
    expect(type).toBe('text/plain; version=0.0.4; charset=utf-8')
    for (const line of [
      'pharos_block_height 5',
      'pharos_block_age_seconds 3',
      'pharos_database_waiting{purpose="read"} 8',
      'pharos_chain_replaced_total 8',
      'pharos_finalize_seconds_bucket{le="0.5"} 2',
      'pharos_finalize_seconds_count 2',
    ])
      expect(text.split('\n')).toContain(line)
    expect(text.match(/# TYPE pharos_block_height gauge/g)).toHaveLength(1)
  })

  it('the table is what is committed: names, types, labels, help', () => {
    const lines = Object.entries<MetricRow>(METRICS).map(
      ([name, { kind, labels = [], help }]) => `${name} ${kind} {${labels.join(',')}}\n  ${help}\n`,
    )
    expectGolden('metrics.txt', lines.join(''))
  })
})
