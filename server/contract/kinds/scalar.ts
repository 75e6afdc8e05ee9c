// Kinds of single values other than free text: numbers, booleans, times, and words from a closed set.
import { z } from 'zod'
import type { Legible } from '../../store/row_reader.ts'
import { boundedInteger, boundedText } from '../bounds.ts'
import { storableMs, storedBoolean, storedInstant, storedInteger, storedWord } from '../stored_form.ts'
import { type Kind, takenKind } from './kind.ts'

/** Longer than any ISO 8601 time with useful digits. */
const LONGEST_INSTANT = 64

/** An integer that a double represents exactly, within the bounds when they are given. */
export const integer = ({ min, max }: { min?: number; max?: number } = {}): Kind<number> =>
  takenKind('integer', 'Int', boundedInteger({ min, max }), { stored: storedInteger, example: 1 })

export const boolean = (): Kind<boolean> =>
  takenKind('boolean', 'Boolean', z.boolean('must be true or false'), {
    stored: storedBoolean,
    named: { filter: 'Boolean' },
    example: true,
  })

/** e.g. `2026-11-20T18:00:00.123Z` */
export const instant = (): Kind<string, string, Legible<Date>> =>
  takenKind(
    'instant',
    'DateTime',
    boundedText({ max: LONGEST_INSTANT })
      .refine((text) => storableMs(text) !== undefined, 'must be an ISO 8601 time with an offset')
      .meta({ format: 'date-time' }),
    {
      isPlain: true,
      show: timeOf,
      stored: storedInstant,
      named: { schema: 'Instant', filter: 'Instant' },
      example: '2026-11-20T18:00:00.123Z',
    },
  )

/** @param at a text when the row was read to be shown; it is the published one already */
export const timeOf = (at: Legible<Date>): string => (typeof at === 'string' ? at : at.toISOString())

export const enumeration = <const Word extends string>(values: readonly [Word, ...Word[]]): Kind<Word> =>
  takenKind('enumeration', 'String', z.enum(values, `must be one of ${values.join(', ')}`), {
    isPlain: true,
    values,
    stored: storedWord(values),
    example: values[0],
  })

/** A word from a closed set that GraphQL shows as plain text, not as an enum. */
export const word = <const Word extends string>(values: readonly [Word, ...Word[]]): Kind<Word> =>
  Object.freeze({ ...enumeration(values), name: 'word', values: undefined })
