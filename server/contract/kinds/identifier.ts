// Kinds of ids, hashes and keys: texts with a fixed form.
import { z } from 'zod'
import { isUlid, normalizeUlid, ULID_LENGTH } from '../../../shared/proof/ulid.ts'
import { isUuid7, normalizeUuid7 } from '../../../shared/proof/uuid7.ts'
import type { Legible } from '../../store/row_reader.ts'
import { base64Length } from '../bounds.ts'
import { storedHex, storedId } from '../stored_form.ts'
import { type Kind, shownKind, takenKind } from './kind.ts'

const UUID_LENGTH = 36

/** e.g. `01a2ce8e-9320-7630-bb7f-73edc8868b1d` */
export const uuid7 = (): Kind<string> =>
  takenKind(
    'uuid7',
    'ID',
    z
      .string('must be a UUIDv7')
      .refine(isUuid7, 'must be a UUIDv7')
      .meta({ format: 'uuid', maxLength: UUID_LENGTH }),
    {
      isPlain: true,
      stored: storedId('a UUIDv7', normalizeUuid7, UUID_LENGTH),
      named: { schema: 'Uuid7', filter: 'Uuid7' },
      example: '01a2ce8e-9320-7630-bb7f-73edc8868b1d',
    },
  )

/** e.g. `01MB78W7FGY7TZHKNWE7WA3Z57` */
export const ulid = (): Kind<string> =>
  takenKind(
    'ulid',
    'ID',
    z
      .string('must be a ULID')
      .refine(isUlid, 'must be a ULID')
      .meta({ pattern: '^[0-7][0-9A-HJKMNP-TV-Z]{25}$', maxLength: ULID_LENGTH }),
    {
      isPlain: true,
      stored: storedId('a ULID', normalizeUlid, ULID_LENGTH),
      named: { schema: 'Ulid', filter: 'Ulid' },
      example: '01MB78W7FGY7TZHKNWE7WA3Z57',
    },
  )

/** 32 bytes in lower-case hex. */
export const hex64 = (): Kind<string, string, Legible<Uint8Array>> =>
  takenKind(
    'hex64',
    'String',
    z
      .string('must be 64 hex characters')
      .regex(/^[0-9a-f]{64}$/, 'must be 64 hex characters')
      .meta({ maxLength: 64 }),
    {
      isPlain: true,
      show: hexOf,
      stored: storedHex(32),
      named: { schema: 'Hex64', filter: 'Hex64' },
      example: '77b87c8129f32320a030b0628d8e30cca99e23e3b117b13097d619c30c0b662a',
    },
  )

/** A signing key's id: 4 bytes in lower-case hex. */
export const hex8 = (): Kind<never, string, Legible<Uint8Array>> =>
  shownKind(
    'hex8',
    'String',
    z
      .string()
      .regex(/^[0-9a-f]{8}$/)
      .meta({ maxLength: 8 }),
    { isPlain: true, show: hexOf, named: { schema: 'Hex8' }, example: '0b662a77' },
  )

/** Base64 of at most this many bytes. */
export const base64 = ({ bytes }: { bytes: number }): Kind<never, string, Legible<Uint8Array>> =>
  shownKind(
    'base64',
    'String',
    z.string().meta({ contentEncoding: 'base64', maxLength: base64Length(bytes) }),
    {
      isPlain: true,
      show: base64Of,
      named: { schema: 'Base64' },
      example: Buffer.alloc(bytes, 7).toString('base64'),
    },
  )

/** @param bytes a text when the row was read to be shown; it is the hex already */
export const hexOf = (bytes: Legible<Uint8Array>): string =>
  typeof bytes === 'string' ? bytes : bufferOf(bytes).toString('hex')

const base64Of = (bytes: Legible<Uint8Array>): string =>
  (typeof bytes === 'string' ? Buffer.from(bytes, 'hex') : bufferOf(bytes)).toString('base64')

const bufferOf = ({ buffer, byteOffset, byteLength }: Uint8Array): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength)
