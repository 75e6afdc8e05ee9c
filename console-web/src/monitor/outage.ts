// An absence of the connection as a row: from when to when, and how many beacons were caught up.
import { type MonitorRow, OUTAGE } from './monitor_row.ts'

export class OutageWatch {
  #since: number | null = null
  #beacons = 0

  /** When the present absence began, or null. */
  get since(): number | null {
    return this.#since
  }

  offline(now: number): void {
    this.#since ??= now
  }

  /**
   * A beacon older than the noticed beginning was missed, too: the computer slept, or the connection was dead before
   * it was closed.
   */
  caughtUp(rows: readonly MonitorRow[]): void {
    if (this.#since === null) return
    this.#beacons += rows.length
    for (const { at } of rows) this.#since = Math.min(this.#since, at)
  }

  /** Null when there was no absence. */
  live(now: number): MonitorRow | null {
    const from = this.#since
    const beacons = this.#beacons
    this.#since = null
    this.#beacons = 0
    if (from === null) return null
    const to = Math.max(from, now)
    const data = { from: new Date(from).toISOString(), to: new Date(to).toISOString(), beacons }
    return { kind: OUTAGE, stream: 'connection', at: from, id: String(to), data, origin: 'noticed' }
  }
}
