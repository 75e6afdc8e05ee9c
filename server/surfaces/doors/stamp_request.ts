// Reads what is to be stamped: digests with their types, and their salts where they have them.
import type Koa from 'koa'
import {
  checkEntry,
  MAX_TREE_SIZE,
  SALT_BYTES,
  TREE_FORMAT,
  type TreeEntry,
} from '../../../shared/evidence/digest_tree.ts'
import { hexOrUndefined } from '../../../shared/proof/bytes.ts'
import { HASH_TYPES, type HashType, isHashType } from '../../../shared/proof/claims.ts'
import { isJsonObject, type JsonObject, type JsonValue, memberOf } from '../../../shared/proof/json_value.ts'
import { type Problem, problem, refuse, refuseAny } from '../../kernel/refusal.ts'
import { checkContentEncoding, JSON_TYPE, readBody, readJson } from '../http/read_body.ts'

/** Digests of one request. */
const MOST_DIGESTS = 256

const MOST_BYTES = 65_536

/** @throws unsupported_media_type, request_too_large, request_timeout, invalid_body */
export async function readStampBody(ctx: Koa.Context): Promise<Buffer> {
  checkContentEncoding(ctx)
  if (!JSON_TYPE.test(ctx.req.headers['content-type'] ?? ''))
    throw refuse('unsupported_media_type', { detail: 'use application/json' })
  return readBody(ctx.req, MOST_BYTES)
}

/**
 * @param mostProblems reading stops there
 * @throws invalid_json, invalid_body, required, invalid_attribute
 */
export function stampEntries(bytes: Buffer, mostProblems: number): TreeEntry[] {
  const body = readJson(bytes)
  if (!isJsonObject(body)) throw refuse('invalid_body', { detail: 'is no object with a list of digests' })
  refuseAny(strangers(body, ['digests'], []))
  const digests = memberOf(body, 'digests')
  if (digests === undefined) throw refuse('required', { path: ['digests'] })
  if (!Array.isArray(digests) || digests.length < 1 || digests.length > MOST_DIGESTS)
    throw refuse('invalid_attribute', {
      path: ['digests'],
      detail: `must be a list of 1 to ${MOST_DIGESTS} digests`,
      meta: { minimum: 1, maximum: MOST_DIGESTS },
    })
  const entries: TreeEntry[] = []
  const problems: Problem[] = []
  for (const [at, digest] of digests.entries()) {
    const read = entryOf(digest, ['digests', String(at)])
    if (Array.isArray(read)) problems.push(...read)
    else entries.push(read)
    if (problems.length >= mostProblems) break
  }
  refuseAny(problems.slice(0, mostProblems))
  return entries
}

type Path = readonly string[]

/** A member that means nothing here may be a misspelt salt, and without its salt short data can be guessed. */
const strangers = (object: JsonObject, known: readonly string[], path: Path): Problem[] =>
  Object.keys(object)
    .filter((name) => !known.includes(name))
    .slice(0, 1)
    .map((name) =>
      problem('invalid_body', {
        path: [...path, name],
        detail: `is none of its members: ${known.join(', ')}`,
      }),
    )

const MEMBERS = ['type', 'value', 'salt']

/** The entry, or what is wrong with it. */
function entryOf(given: JsonValue, path: Path): TreeEntry | Problem[] {
  const wrong = (name: string, detail: string): Problem[] => [
    problem('invalid_attribute', { path: [...path, name], detail }),
  ]
  if (!isJsonObject(given))
    return [problem('invalid_attribute', { path, detail: 'must be an object with type and value' })]
  const unknown = strangers(given, MEMBERS, path)
  if (unknown.length > 0) return unknown
  const [type, hex, hexSalt] = MEMBERS.map((name) => memberOf(given, name))
  if (typeof type !== 'string' || !isStamped(type)) return wrong('type', `must be one of ${TYPES.join(', ')}`)
  const value = bytesIn(hex)
  if (value === undefined) return wrong('value', 'must be lowercase hex')
  const salt = hexSalt === undefined ? undefined : bytesIn(hexSalt)
  if (hexSalt !== undefined && salt?.length !== SALT_BYTES)
    return wrong('salt', `must be ${2 * SALT_BYTES} lowercase hex, or absent`)
  const entry: TreeEntry = { type, value, salt }
  try {
    checkEntry(entry)
  } catch (error) {
    if (error instanceof RangeError) return wrong(salt === undefined ? 'value' : 'salt', error.message)
    throw error
  }
  return type === TREE_FORMAT && !isTreeSize(value)
    ? wrong('value', `must end with the size of the tree, from 1 to ${MAX_TREE_SIZE}`)
    : entry
}

const TYPES = [...Object.keys(HASH_TYPES), TREE_FORMAT]

const isStamped = (type: string): type is HashType | typeof TREE_FORMAT =>
  isHashType(type) || type === TREE_FORMAT

const bytesIn = (hex: JsonValue | undefined): Uint8Array | undefined =>
  typeof hex === 'string' ? hexOrUndefined(hex) : undefined

/** The last eight bytes of the entry of a tree. */
function isTreeSize(value: Uint8Array): boolean {
  const size = new DataView(value.buffer, value.byteOffset).getBigUint64(value.length - 8)
  return size >= 1n && size <= MAX_TREE_SIZE
}
