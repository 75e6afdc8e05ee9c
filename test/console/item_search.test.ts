// What is typed into the search of items: filters by their words, alone and together, and text where nothing can be read.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addressOf, NO_FILTER, readFilter } from '../../console-web/src/items/item_filter.ts'
import { readTyped } from '../../console-web/src/items/item_search.ts'

const NOW = Date.UTC(2026, 10, 28, 12, 30)
const typed = (text: string) => {
  const { whole, ...said } = readTyped(text, NOW)
  expect(whole).toBeNull()
  return said
}
const since = (from: string, text: string | null = null) => ({ text, from })
const until = (to: string, text: string | null = null) => ({ text, to })

describe('the search of items', () => {
  it.each([
    ['tag:lease', { text: null, tag: 'lease' }],
    ['Tag:"two words" contract', { text: 'contract', tag: 'two words' }],
    ['tag:a tag:b', { text: null, tag: 'b' }],
    ['since yesterday', since('2026-11-27T00:00')],
    ['since yesterday at 14:02 UTC', since('2026-11-27T14:02')],
    ['since: 2026-11-20', since('2026-11-20T00:00')],
    ['Since 2 days ago flat', since('2026-11-26T00:00', 'flat')],
    ['since 90 min ago', since('2026-11-28T11:00')],
    // The last minute of a filter counts.
    ['before 2026-11-20', until('2026-11-19T23:59')],
    ['contract before 14:02', until('2026-11-27T14:01', 'contract')],
    ['since 2026-11-01 before 2026-11-20', { text: null, from: '2026-11-01T00:00', to: '2026-11-19T23:59' }],
    ['tag:lease since yesterday contract', { text: 'contract', tag: 'lease', from: '2026-11-27T00:00' }],
    [
      'the contract since yesterday of tag:lease',
      { text: 'the contract of', tag: 'lease', from: '2026-11-27T00:00' },
    ],
  ])('reads %s', (text, said) => {
    expect(typed(text)).toEqual(said)
  })

  it.each([
    'a contract',
    'a  contract',
    'since',
    'since last week',
    'since 2026-02-30',
    // A time to come.
    'since 2026-12-01',
    'tag:',
    'tag:"',
    'mytag:lease',
    'sincerely yesterday',
    'long since 14',
    'ab'.repeat(32),
    '01MB78W7FGY7TZHKNWE7WA3Z57',
  ])('leaves %s as text', (text) => {
    expect(typed(` ${text} `)).toEqual({ text })
  })

  it('makes of any text a filter that its address says', () => {
    const words = fc.constantFrom(
      'since',
      'before',
      'yesterday',
      '2 days ago',
      'tag:lease',
      '14:02',
      'before:',
      'x',
    )
    fc.assert(
      fc.property(fc.array(fc.oneof(words, fc.string({ maxLength: 9 })), { maxLength: 8 }), (all) => {
        const filter = { ...NO_FILTER, ...readTyped(all.join(' ').replaceAll('\0', ''), NOW) }
        expect(readFilter(new URL(addressOf(filter), 'http://x').search)).toEqual(filter)
      }),
    )
  })
})
