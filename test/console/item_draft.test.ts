// What a person typed about new items becomes exactly the claims that are hashed, or a sentence about what is missing; and what is sent is made once.

import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { Api } from '../../console-web/src/data/api_client.ts'
import { ApiFailure } from '../../console-web/src/data/api_failure.ts'
import { MOST_FILES } from '../../console-web/src/data/given_files.ts'
import {
  type Draft,
  draftProblems,
  EMPTY_DRAFT,
  entriesOf,
  keptOf,
  nameFor,
  readKept,
  tagsOf,
} from '../../console-web/src/items/draft.ts'
import { submitFailureWords, submitItems } from '../../console-web/src/items/submit_items.ts'

const hex = 'ab'.repeat(32)
const file = (name = 'Paper', key = name) => ({ key, name, size: 23, hex, why: null, source: null })
const draft = (change: Partial<Draft> = {}): Draft => ({ ...EMPTY_DRAFT, files: [file()], ...change })
const text = (change: Partial<Draft>): Draft => ({ ...EMPTY_DRAFT, way: 'text', name: 'Words', ...change })
const claimsOf = (given: Draft) => entriesOf(given).map(({ claims }) => claims)

describe('a draft', () => {
  it('becomes claims without the fields that were left empty', () => {
    expect(claimsOf(draft())).toEqual([{ name: 'Paper', hash: hex, hash_type: 'sha256' }])
    const more = { description: ' Words. ', url: 'https://a.example', files: [file(' Paper '), file('Bill')] }
    expect(claimsOf(draft(more))).toEqual(
      ['Paper', 'Bill'].map((name) => ({
        name,
        description: 'Words.',
        url: 'https://a.example',
        hash: hex,
        hash_type: 'sha256',
      })),
    )
  })

  it('submits the digest of exactly the bytes of a text, or the text as the claim', () => {
    const words = ' Grüße,\nund mehr. '
    expect(claimsOf(text({ text: words }))).toEqual([
      { name: 'Words', hash: createHash('sha256').update(words).digest('hex'), hash_type: 'sha256' },
    ])
    expect(
      claimsOf(text({ text: words, textAs: 'claim', description: 'not this', url: 'https://a.example' })),
    ).toEqual([{ name: 'Words', description: words.trim() }])
  })

  it('says what is missing under the field it is about', () => {
    const fields = (given: Draft) => [...draftProblems(given).keys()].sort()
    expect(fields(draft())).toEqual([])
    expect(fields(draft({ files: [] }))).toEqual(['files'])
    expect(fields(draft({ files: [file('', 'a')], url: 'http://a.example' }))).toEqual(['name-a', 'url'])
    expect(draftProblems(draft({ files: [file('', 'a')] })).get('name-a')).toBe('Give it a name.')
    expect(draftProblems(draft({ tags: 'x'.repeat(65) })).get('tags')).toMatch(/64/)
    expect(fields(text({}))).toEqual(['text'])
    expect(draftProblems(text({ text: 'x'.repeat(31), textAs: 'claim' })).get('text')).toMatch(
      /32 characters/,
    )
    expect(fields(text({ text: 'x'.repeat(32), textAs: 'claim' }))).toEqual([])
    expect(fields(text({ text: 'x'.repeat(257), textAs: 'claim' }))).toEqual(['text'])
    expect(fields(text({ text: 'x', name: '' }))).toEqual(['name'])
  })

  it('reads tags apart by commas, each once, and cuts the names of files to what claims may have', () => {
    expect(tagsOf(draft({ tags: ' a, b ,,a , ü ' }))).toEqual(['a', 'b', 'ü'])
    expect([...nameFor('😀'.repeat(70))]).toHaveLength(64)
  })

  it('is kept with its digests, and found again as it was', () => {
    const sent: Draft['sent'] = { key: 'k', outcomes: [{ id: 'a' }, { why: 'It was refused.' }] }
    const files = [file('a'), { ...file('b'), hex: null }]
    const given = draft({ files, tags: 'a', visibility: 'team', hashType: 'md5', sent })
    const found = readKept(JSON.parse(JSON.stringify(keptOf(given))))
    expect(found).toEqual({ ...given, files: [file('a')] })
    expect(readKept({ visibility: 'x', hashType: 'x' })).toEqual(EMPTY_DRAFT)
  })

  it('is not found again where what was kept is something else', () => {
    for (const kept of ['nothing', { files: [1, {}] }, { sent: {} }])
      expect(() => readKept(kept)).toThrow(ApiFailure)
  })
})

/** A service that makes each item once for a key, and loses the first answers. */
const openService = (lost = 0) => {
  const made = new Map<string, string[]>()
  let left = lost
  const never = () => Promise.reject(new Error('not asked here'))
  const post: Api['post'] = async (_, body, { idempotencyKey = '' } = {}) => {
    const { items } = (body as { data: { items: unknown[] } }).data
    const ids = made.get(idempotencyKey) ?? items.map((_, n) => `${idempotencyKey}#${n}`)
    made.set(idempotencyKey, ids)
    left -= 1
    if (left >= 0) throw new ApiFailure('unreachable', 'The server cannot be reached.')
    return { result: { items: ids.map((id) => ({ id })) } }
  }
  const api: Api = { get: never, text: never, post, patch: never, delete: never }
  return { api, made }
}

const idle = async () => undefined

const send = (api: Api, entries: ReturnType<typeof entriesOf>) =>
  submitItems({ api, signal: new AbortController().signal, wait: idle }, entries, 'k')

describe('a submission', () => {
  const many = entriesOf(draft({ files: Array.from({ length: MOST_FILES }, (_, n) => file(`Paper ${n}`)) }))

  it('is one batch, whose attempts make nothing twice when answers are lost', async () => {
    const { api, made } = openService(2)
    const outcomes = await send(api, many)
    expect([...made.keys()]).toEqual(['k'])
    expect(new Set(outcomes.map((one) => ('id' in one ? one.id : '')))).toHaveLength(MOST_FILES)
    expect(await send(api, many)).toEqual(outcomes)
  })

  it('is not begun when it is more than a request may hold', () => {
    const tags = Array.from({ length: 20 }, (_, n) => `${n} ${'x'.repeat(60)}`).join(',')
    const files = (count: number) => Array.from({ length: count }, (_, n) => file(`Paper ${n}`))
    const heavy = { tags, description: 'x'.repeat(256) }
    expect(draftProblems(draft({ files: files(200), ...heavy })).size).toBe(0)
    expect(draftProblems(draft({ files: files(MOST_FILES), ...heavy })).get('files')).toMatch(/too much/)
  })

  it('tells each refusal in its place, and a refused batch in words', async () => {
    const { api } = openService()
    const post = async () => ({ result: { items: [{ id: 'a' }, { errors: [{ detail: 'has a problem' }] }] } })
    const outcomes = await send({ ...api, post }, many.slice(0, 2))
    expect(outcomes).toEqual([{ id: 'a' }, { why: 'It was refused: has a problem.' }])
    const limit = new ApiFailure('refused', 'the plan has 1000 items a day', {
      code: 'plan_limit',
      problems: [
        { code: 'plan_limit', detail: '', pointer: null, meta: { resets_at: '2027-01-02T00:00:00.000Z' } },
      ],
    })
    expect(submitFailureWords(limit)).toMatch(/1000 items a day.*2 January 2027, 00:00 UTC/)
    expect(submitFailureWords(new ApiFailure('unreachable', 'Gone.'))).toMatch(
      /not known.*nothing is made twice/,
    )
  })
})
