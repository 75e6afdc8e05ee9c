// What has been typed survives leaving the page, within its ceiling, and never the person who typed it.
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { dropDrafts, keepDraft, readDraft } from '../../console-web/src/data/kept/draft.ts'
import { textAt } from '../../console-web/src/data/shape.ts'

let held: Map<string, string>
beforeEach(() => {
  held = new Map()
  vi.stubGlobal('sessionStorage', {
    get length() {
      return held.size
    },
    key: (index: number) => [...held.keys()][index] ?? null,
    getItem: (name: string) => held.get(name) ?? null,
    setItem: (name: string, text: string) => held.set(name, text),
    removeItem: (name: string) => held.delete(name),
  })
})
afterEach(() => {
  vi.unstubAllGlobals()
})

const read = (kept: unknown) => textAt(kept, 'name')

it('a draft is found again, and one of another shape is not', () => {
  expect(readDraft('item', read)).toBeNull()
  keepDraft('item', { name: 'report' })
  expect(readDraft('item', read)).toBe('report')
  expect(readDraft('endpoint', read)).toBeNull()
  held.set('pharos.draft.item', '{"name": 7}')
  expect(readDraft('item', read)).toBeNull()
  held.set('pharos.draft.item', 'not JSON')
  expect(readDraft('item', read)).toBeNull()
})

it('a draft that is too long is not kept, and leaves no older one behind', () => {
  keepDraft('item', { name: 'report' })
  keepDraft('item', { name: 'x'.repeat(300_000) })
  expect(readDraft('item', read)).toBeNull()
})

it('all drafts go at once, and nothing else goes with them', () => {
  keepDraft('item', { name: 'one' })
  keepDraft('endpoint', { name: 'two' })
  held.set('pharos.key', 'phk_x')
  dropDrafts()
  expect([...held.keys()]).toEqual(['pharos.key'])
})

it('a browser that forbids storage keeps no draft, and nothing fails', () => {
  vi.stubGlobal('sessionStorage', undefined)
  keepDraft('item', { name: 'one' })
  dropDrafts()
  expect(readDraft('item', read)).toBeNull()
})
