// Every metric of databases.
import { FEW_SECONDS, type MetricRow } from './metric_table.ts'

export const DATABASE_METRICS = {
  pharos_database_up: {
    kind: 'gauge',
    across: 'min',
    help: '1 when the database answered this scrape. While it is 0, values that come from the database are absent.',
  },
  pharos_database_disk_full_total: {
    kind: 'counter',
    // No labels: shown as 0 from the start, because Prometheus sees no increase in a series that begins with 1.
    help: 'Statements that the database refused because its disk is full.',
  },
  pharos_database_connections: {
    kind: 'gauge',
    help: 'Open database connections, by purpose and state: in_use or idle.',
    labels: ['purpose', 'state'],
  },
  pharos_database_connections_max: {
    kind: 'gauge',
    help: 'The most database connections of a purpose.',
    labels: ['purpose'],
  },
  pharos_database_waiting: {
    kind: 'gauge',
    help: 'Work that waits for a database connection of its purpose.',
    labels: ['purpose'],
  },
  pharos_database_wait_seconds: {
    kind: 'histogram',
    help: 'Seconds that work waited for a database connection of its purpose.',
    labels: ['purpose'],
    buckets: FEW_SECONDS,
  },
  pharos_embedded_database_restarts_total: {
    kind: 'counter',
    help: 'How often the embedded database ended by itself and was started again.',
  },
  pharos_data_free_bytes: {
    kind: 'gauge',
    across: 'min',
    help: 'Free space of the disk with DATA_DIR, when the embedded database is there.',
  },
} as const satisfies Record<string, MetricRow>
