// The dashboard and the alerts ask only for metrics and labels that there are, and every alert says what to do.
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { collectDefaultMetrics, Registry } from 'prom-client'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import type { MetricRow } from '../../server/kernel/metric_table.ts'
import { METRICS } from '../../server/kernel/metrics.ts'

const FOLDER = resolve(import.meta.dirname, '..', '..', 'deploy', 'observability')

interface Alert {
  readonly alert: string
  readonly expr: string
  readonly labels: { readonly severity: string }
  readonly annotations: { readonly summary: string; readonly description: string }
}

interface Panel {
  readonly type: string
  readonly title: string
  readonly targets?: readonly { readonly expr: string }[]
}

const { groups }: { readonly groups: readonly { readonly rules: readonly Alert[] }[] } = parse(
  readFileSync(join(FOLDER, 'alerts.yaml'), 'utf8'),
)
const alerts = groups.flatMap(({ rules }) => rules)
const { panels }: { readonly panels: readonly Panel[] } = JSON.parse(
  readFileSync(join(FOLDER, 'grafana-dashboard.json'), 'utf8'),
)
const queries = [
  ...alerts.map(({ alert, expr }) => ({ where: alert, expr })),
  ...panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => ({ where: title, expr }))),
]

/** The series that a scrape shows, each with its labels. */
function seriesShown(): Map<string, readonly string[]> {
  const shown = new Map<string, readonly string[]>([['up', []]])
  for (const [name, { kind, labels = [] }] of Object.entries<MetricRow>(METRICS)) {
    if (kind !== 'histogram') shown.set(name, labels)
    else for (const end of ['_bucket', '_sum', '_count']) shown.set(name + end, [...labels, 'le'])
  }
  const register = new Registry()
  collectDefaultMetrics({ register })
  for (const { name } of register.getMetricsAsArray()) shown.set(name, [])
  register.clear()
  return shown
}
const shown = seriesShown()

/** Added by Prometheus to every series. */
const OWN_LABELS = ['job', 'instance']

const namesIn = (expr: string): string[] => expr.match(/\b(?:pharos|nodejs|process)_\w+|\bup\b/g) ?? []

const labelsIn = (expr: string): string[] => [
  ...[...expr.matchAll(/\{([^}]*)\}/g)].flatMap(([, inside = '']) =>
    [...inside.matchAll(/(\w+)\s*(?:=|!=|=~|!~)\s*"/g)].map(([, label = '']) => label),
  ),
  ...[...expr.matchAll(/\bby\s*\(([^)]*)\)/g)].flatMap(([, inside = '']) =>
    inside.split(',').map((label) => label.trim()),
  ),
]

describe('dashboard and alerts', () => {
  it.each(queries)('$where asks for metrics and labels that there are', ({ expr }) => {
    const names = namesIn(expr)
    expect(names).not.toEqual([])
    expect(names.filter((name) => !shown.has(name))).toEqual([])
    const labels = [...OWN_LABELS, ...names.flatMap((name) => shown.get(name) ?? [])]
    expect(labelsIn(expr).filter((label) => !labels.includes(label))).toEqual([])
  })

  it.each(alerts)('$alert looks at the processes of this service alone', ({ expr }) => {
    for (const [, labels = ''] of expr.matchAll(/\b(?:up|nodejs_\w+|process_\w+)(\{[^}]*\})?/g))
      expect(labels).toContain('job="pharos"')
  })

  it('what an alert counts from the first occurrence on is shown as 0 before it', () => {
    const counted = alerts.flatMap(({ expr }) => [...expr.matchAll(/increase\((\w+)[^)]*\)+ > 0/g)])
    expect(counted.length).toBeGreaterThan(2)
    for (const [, name = ''] of counted) expect(shown.get(name), name).toEqual([])
  })

  it('every alert has a name of its own, a weight, a meaning and an advice', () => {
    expect(new Set(alerts.map(({ alert }) => alert)).size).toBe(alerts.length)
    for (const { alert, labels, annotations } of alerts) {
      expect(alert).toMatch(/^Pharos[A-Z]\w+$/)
      expect(['warning', 'critical']).toContain(labels.severity)
      expect(annotations.summary, alert).toMatch(/\.$/)
      expect(annotations.description.length, alert).toBeGreaterThan(20)
    }
  })

  it('every panel stands in its place and asks something', () => {
    for (const { type, title, targets } of panels) {
      expect(title).not.toBe('')
      if (type !== 'row') expect(targets?.length, title).toBeGreaterThan(0)
    }
  })
})
