// New identifiers with real randomness. Where the time in an id matters, the caller passes it; here it is the process's.
import { randomBytes } from 'node:crypto'
import { uuid7From } from '../../shared/proof/uuid7.ts'

/** A UUIDv7 for records whose id time nobody relies on (accounts, keys, error ids). */
export const newUuid7 = (): string => uuid7From(Date.now(), randomBytes(10))
