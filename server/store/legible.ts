// Bytes and times of an answer as the texts that clients see. It saves a Buffer or a Date for each value of a list.
import pg from 'pg'
import { TYPE_OIDS } from './columns.ts'

/** What a value is when its row was read to be shown. Values that were not read from the database keep their type. */
export type Legible<Value> = Value extends Uint8Array | Date ? Value | string : Value

/** PostgreSQL writes bytes as `\x0b662a77`. */
export const hexOfOutput = (output: string): string => output.slice(2)

const USUAL_LENGTH = '2026-11-20 18:00:00.123+00'.length

/** Sessions run in UTC. e.g. `2026-11-20 18:00:00.123+00` → `2026-11-20T18:00:00.123Z` */
export function isoOfOutput(output: string): string {
  if (output.length === USUAL_LENGTH && output.endsWith('+00'))
    return `${output.slice(0, 10)}T${output.slice(11, 23)}Z`
  // PostgreSQL leaves out zeros at the end of the seconds.
  const at: Date = dateOf(output)
  return at.toISOString()
}

const dateOf = pg.types.getTypeParser(TYPE_OIDS['timestamp with time zone'], 'text')
