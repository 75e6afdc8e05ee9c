// How the console writes times: in words in sentences, and the day of a row only where it is another one.
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { dayAndTime } from '../../console-web/src/ui/format.ts'
import { RowTime } from '../../console-web/src/ui/list/row_time.tsx'

const at = '2027-01-02T03:04:05.678Z'

it('a time in a sentence has its day in words, and says that it is UTC', () => {
  expect(dayAndTime(at)).toBe('2 January 2027, 03:04 UTC')
  expect(dayAndTime(Date.parse(at), true)).toBe('2 January 2027, 03:04:05 UTC')
})

it('a row shows its day in the first row and where it is another than above, and always reads it out', () => {
  const shown = (above: string | undefined) => renderToStaticMarkup(createElement(RowTime, { at, above }))
  const seen = /<small class="">2027-01-02 <\/small>03:04:05/
  expect(shown(undefined)).toMatch(seen)
  expect(shown('2027-01-03T00:00:00.000Z')).toMatch(seen)
  const sameDay = shown('2027-01-02T23:59:59.999Z')
  expect(sameDay).toContain(`<time dateTime="${at}" title="`)
  expect(sameDay).toContain('<small class="visually-hidden">2027-01-02 </small>03:04:05')
})
