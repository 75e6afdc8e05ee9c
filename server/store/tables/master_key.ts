// The one row that says which master key is in force, see `key_in_force.ts`.
import { bool, defaulted, text } from '../columns.ts'

export const MASTER_KEY_TABLES = {
  master_key: {
    single: defaulted(bool),
    fingerprint: text,
  },
} as const
