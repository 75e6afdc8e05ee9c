// Checks of the subject of a bundle: the expected digest, the data with its hashes, and oddities of claims.
import { carried } from '../bundle/bundle_parts.ts'
import type { ReadBundle, ReadSubject } from '../bundle/read_bundle.ts'
import { bytesEqual, isHex, utf8 } from '../bytes.ts'
import { HASH_TYPES, isHashType } from '../claims.ts'
import { isUlid, ulidTime } from '../ids.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../json_value.ts'
import { momentOf, shown, textOf } from './carried_values.ts'
import type { DerivedSubject } from './derived_hashes.ts'
import type { Examination } from './examination.ts'
import { type Finding, fail, info, pass, skip, warn } from './report.ts'

export function hashComparison({ bundle, expectedHash }: Examination): Finding[] {
  if (bundle.type !== 'item')
    return expectedHash === undefined
      ? []
      : [skip('An expected hash is only compared with the claims of an item.')]
  const claimed = claimedHash(bundle.subject)
  if (expectedHash === undefined)
    return claimed === undefined
      ? []
      : [warn('The item claims a hash, but no expected hash was given to compare it with.')]
  if (claimed === undefined) return [warn('The item claims no hash to compare the expected hash with.')]
  return isSameHash(expectedHash, claimed)
    ? [pass('The claimed hash is the expected one.')]
    : [fail(`The claimed hash ${shown(claimed)} is not the expected ${shown(expectedHash)}.`)]
}

export function subjectData({ bundle, facts }: Examination): Finding[] {
  const { subject } = bundle
  if (subject === undefined || facts.subject === undefined) return []
  if (facts.subject.hash === undefined) return [flawFinding(bundle, facts.subject.flaw)]
  return [
    pass(`The ${dataName(bundle)} of the subject are hashed.`),
    subject.metadataHash === undefined
      ? pass('The metadata of the subject is hashed.')
      : skip('The metadata of the subject is carried as its hash only.'),
    pass(`The subject hashes to ${shown(facts.subject.hash)}.`),
    ...dataFindings(bundle, subject, facts.subject.data),
  ]
}

/** Milliseconds since 1970, from the id of an item. */
export function itemTime(subject: ReadSubject): number | undefined {
  const id = textOf(subject.id)
  return id !== undefined && isUlid(id) ? ulidTime(id) : undefined
}

/** Ignores case. Takes constant time. */
export function isSameHash(expected: string, claimed: string): boolean {
  return bytesEqual(utf8(expected.toLowerCase().toWellFormed()), utf8(claimed.toLowerCase()))
}

export function claimedHash(subject: ReadSubject | undefined): string | undefined {
  return isJsonObject(subject?.data) ? textOf(carried(subject.data, 'hash')) : undefined
}

const STALE_MS = 7 * 86_400_000

function dataName({ type }: ReadBundle): string {
  return type === 'item' ? 'claims' : 'captured values'
}

function flawFinding(
  bundle: ReadBundle,
  flaw: Exclude<DerivedSubject, { data: JsonObject }>['flaw'],
): Finding {
  switch (flaw) {
    case 'data':
      return fail(`The subject carries no ${dataName(bundle)}.`)
    case 'metadata':
      return fail('The metadata hash of the subject is malformed.')
    case 'identity':
      return {
        ...fail('The id or the signing key id of the subject is missing or malformed.'),
        category: 'data_integrity',
      }
    default:
      return flaw satisfies never
  }
}

function dataFindings({ type }: ReadBundle, subject: ReadSubject, data: JsonObject): Finding[] {
  const findings: Finding[] = []
  if (holdsUnportableInteger(data))
    findings.push(
      warn('An integer beyond 2^53 is not portable: other readers may round it and get another hash.'),
    )
  if (type !== 'item') return findings
  return [...findings, ...hashTypeFindings(data), ...claimTimeFindings(data, itemTime(subject))]
}

/** A number counts as an integer when its canonical text shows one. From 1e21 on the text has an exponent. */
function holdsUnportableInteger(value: JsonValue): boolean {
  switch (typeof value) {
    case 'number':
      return Math.abs(value) > 2 ** 53 && Math.abs(value) < 1e21
    case 'bigint':
      return value > TWO_TO_53 || value < -TWO_TO_53
    case 'object':
      if (value === null) return false
      if (Array.isArray(value)) return value.some(holdsUnportableInteger)
      for (const name of Object.keys(value)) if (holdsUnportableInteger(value[name] ?? null)) return true
      return false
    default:
      return false
  }
}

const TWO_TO_53 = 1n << 53n

function hashTypeFindings(claims: JsonObject): Finding[] {
  const hash = textOf(carried(claims, 'hash'))
  const type = textOf(carried(claims, 'hash_type'))
  if (hash === undefined || type === undefined) return []
  const category = 'data_integrity'
  if (!isHashType(type)) return [{ ...warn(`${shown(type)} is no known hash type.`), category }]
  return isHex(hash) && hash.length === HASH_TYPES[type]
    ? [{ ...info(`The claimed hash has the form of ${type}.`), category }, ...weakness(type)]
    : [{ ...warn(`The claimed hash does not have the form of ${type}.`), category }]
}

/** Empty unless somebody can make two files with one digest of this type. */
export const weakness = (type: string): Finding[] =>
  type === 'md5' || type === 'sha1'
    ? [{ ...warn(`Two files with one ${type} digest can be made.`), category: 'data_integrity' }]
    : []

function claimTimeFindings(claims: JsonObject, submittedAt: number | undefined): Finding[] {
  const claimedAt = momentOf(carried(claims, 'timestamp'))
  if (claimedAt === undefined || submittedAt === undefined) return []
  const category = 'timing'
  if (claimedAt > submittedAt)
    return [
      { ...warn('This is a future-dated claim: its timestamp is later than its submission.'), category },
    ]
  return submittedAt - claimedAt > STALE_MS
    ? [
        {
          ...warn('This is a stale claim: its timestamp is more than 7 days before its submission.'),
          category,
        },
      ]
    : []
}
