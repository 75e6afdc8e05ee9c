// The names of metrics by their kind, and the labels of each, as the table of metrics has them.
import { METRICS, type Row } from './metric_table.ts'

type Table = typeof METRICS

export type MetricName = keyof Table

export type NameOf<Kind extends Row['kind']> = {
  [Name in MetricName]: Table[Name]['kind'] extends Kind ? Name : never
}[MetricName]

/** One value for every label of the metric. */
export type LabelsOf<Name extends MetricName> = Readonly<Record<Table[Name]['labels'][number], string>>

const isGauge = (name: string): name is NameOf<'gauge'> =>
  Object.entries<Row>(METRICS).some(([one, { kind }]) => one === name && kind === 'gauge')

export const GAUGES: readonly NameOf<'gauge'>[] = Object.keys(METRICS).filter(isGauge)
