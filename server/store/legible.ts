// Bytes and times of an answer as the texts that clients see. It saves a Buffer or a Date for each value of a list.
import pg from 'pg'
import { TYPE_OIDS } from './columns.ts'

/** What a value is when its row was read to be shown. Values that were not read from the database keep their type. */
export type Legible<Value> = Value extends Uint8Array | Date ? Value | string : Value

/** PostgreSQL writes bytes as `\x0b662a77`. */
export const hexOfOutput = (output: string): string => output.slice(2)

const LONGEST = '2026-11-20 18:00:00.123+00'.length

/**
 * Sessions run in UTC, and PostgreSQL leaves out zeros at the end of the seconds. e.g. `2026-11-20 18:00:00.12+00` →
 * `2026-11-20T18:00:00.120Z`
 */
export function isoOfOutput(output: string): string {
  if (output.length <= LONGEST && output.charAt(10) === ' ' && output.endsWith('+00'))
    return `${output.slice(0, 10)}T${output.slice(11, 19)}.${output.slice(20, -3).padEnd(3, '0')}Z`
  // Years with more than four digits, and those before the first.
  const at: Date = dateOf(output)
  return at.toISOString()
}

const dateOf = pg.types.getTypeParser(TYPE_OIDS['timestamp with time zone'], 'text')
