// What a person typed about a new item becomes exactly the claims that are hashed, or a sentence about what is missing.
import { describe, expect, it } from 'vitest'
import {
  claimsOf,
  type Draft,
  draftProblems,
  EMPTY_DRAFT,
  tagsOf,
} from '../../console-web/src/items/draft.ts'

const draft = (change: Partial<Draft>): Draft => ({ ...EMPTY_DRAFT, name: 'Paper', ...change })
const digest = { type: 'sha256', hex: 'ab'.repeat(32) } as const

describe('a draft', () => {
  it('becomes claims without the fields that were left empty', () => {
    expect(claimsOf(draft({ digest }))).toEqual({ name: 'Paper', hash: 'ab'.repeat(32), hash_type: 'sha256' })
    expect(claimsOf(draft({ name: ' Paper ', description: ' Words. ', url: 'https://a.example' }))).toEqual({
      name: 'Paper',
      description: 'Words.',
      url: 'https://a.example',
    })
  })

  it('is complete with a digest, or with enough words', () => {
    expect(draftProblems(draft({ digest })).size).toBe(0)
    expect(draftProblems(draft({ description: 'x'.repeat(32) })).size).toBe(0)
    expect(draftProblems(draft({ description: 'x'.repeat(31) })).get('hash')).toMatch(/32 characters/)
  })

  it('says what is wrong under the field it is about', () => {
    const problems = draftProblems(draft({ name: '', url: 'http://a.example', digest }))
    expect([...problems.keys()].sort()).toEqual(['name', 'url'])
    expect(problems.get('name')).toBe('Give it a name.')
    expect(draftProblems(draft({ digest, tags: 'x'.repeat(65) })).get('tags')).toMatch(/64/)
  })

  it('reads tags apart by commas, each once', () => {
    expect(tagsOf(draft({ tags: ' a, b ,,a , ü ' }))).toEqual(['a', 'b', 'ü'])
  })
})
