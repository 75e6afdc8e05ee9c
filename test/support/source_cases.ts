// What the conformance suite requires of each source of entropy. A source without a case does not compile.
import type { SOURCES } from '../../server/domain/entropy/source.ts'
import { bitcoinAnswers, nistAnswers, type SourceAnswers, stellarAnswers } from './entropy_answers.ts'

export interface SourceCase {
  readonly told: SourceAnswers
  /** The paths of the members that are read from the JSON answer, and wrong values for each. */
  readonly members: Readonly<Record<string, readonly unknown[]>>
  /** A member with a number as its value. */
  readonly number: string
  /** The path of a member of the payload that a verifier does not compare. */
  readonly notCompared?: string
}

const NOT_A_COUNT = ['1', null, -1, 1.5, true, [1], {}] as const
const NOT_AN_INSTANT = [
  '',
  'yesterday',
  '2025-01-01',
  '2025-01-01 00:00:00Z',
  '2026-02-30T00:00:00Z',
  '2025-01-01T00:00:00',
  '2025-01-01T24:00:00Z',
  `2025-01-01T00:00:00.${'0'.repeat(60)}Z`,
  1_735_689_600,
  null,
] as const
const NOT_A_HASH = ['', 'AB'.repeat(32), 'ab'.repeat(31), `${'ab'.repeat(31)}ag`, 'ab'.repeat(33), 1] as const
const NOT_AN_OUTPUT = [
  '',
  'AB'.repeat(63),
  'AB'.repeat(65),
  `${'AB'.repeat(63)}ab`,
  'AG'.repeat(64),
  7,
] as const

export const SOURCE_CASES: Readonly<Record<keyof typeof SOURCES, SourceCase>> = {
  nist: {
    told: nistAnswers(),
    members: {
      'pulse.chainIndex': NOT_A_COUNT,
      'pulse.pulseIndex': NOT_A_COUNT,
      'pulse.timeStamp': NOT_AN_INSTANT,
      'pulse.outputValue': NOT_AN_OUTPUT,
      'pulse.version': ['', 2, null, 'x'.repeat(65), 'a\nb'],
      pulse: [null, [], 'pulse'],
    },
    number: 'pulseIndex',
    notCompared: 'pulse.version',
  },
  stellar: {
    told: stellarAnswers(),
    members: {
      '_embedded.records.0.hash': NOT_A_HASH,
      '_embedded.records.0.sequence': NOT_A_COUNT,
      '_embedded.records.0.closed_at': NOT_AN_INSTANT,
      '_embedded.records': [[], {}, null, [1]],
      _embedded: [null, []],
    },
    number: 'sequence',
  },
  bitcoin: {
    told: bitcoinAnswers(),
    members: {
      id: [...NOT_A_HASH, 'cd'.repeat(32)],
      height: NOT_A_COUNT,
      timestamp: NOT_A_COUNT,
    },
    number: 'height',
  },
}
