// Text that people chose is shown as what it is, whatever it holds.
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { nameText, Shown, shownText } from '../../console-web/src/ui/shown_text.tsx'

it.each([
  ['an override of direction', 'invoice\u202efdp.exe', 'invoice<U+202E>fdp.exe'],
  ['an isolate', '\u2066a\u2069', '<U+2066>a<U+2069>'],
  ['a mark of direction', 'a\u200eb', 'a<U+200E>b'],
  ['what has no width', 'pay\u200bpal\ufeff', 'pay<U+200B>pal<U+FEFF>'],
  ['controls', 'a\u0000\u001b[2J\r', 'a<U+0000><U+001B>[2J<U+000D>'],
  ['separators of lines', 'a\u2028b', 'a<U+2028>b'],
  ['tags outside the first plane', 'a\u{e0041}', 'a<U+E0041>'],
])('%s is shown by name', (_, text, shown) => expect(shownText(text)).toBe(shown))

it.each([
  'two\nlines\tand a tab',
  'العربية עברית',
  '👩‍🚀 emoji that are joined',
  'می‌خواهم',
  'naïve — “quoted”',
])('%s stays as it is', (text) => expect(shownText(text)).toBe(text))

it('the name of a character stays whole in text that is read from right to left', () => {
  const shown = renderToStaticMarkup(createElement(Shown, { text: 'חוזה \u202eexe.\u2066א' }))
  expect(shown).toBe(
    '<bdi>חוזה <bdi dir="ltr">&lt;U+202E&gt;</bdi>exe.<bdi dir="ltr">&lt;U+2066&gt;</bdi>א</bdi>',
  )
})

it.each(['', '   ', '\u00a0\t\n', '\u200d', '\u3164', '\u2800 '])(
  'a name with nothing to see in it (%j) is said to be none',
  (name) => expect(nameText(name)).toBe('(no name)'),
)

it.each([' a ', '-', '\u200b', 'می‌خواهم'])('a name with something to see in it (%j) stays as it is', (name) =>
  expect(nameText(name)).toBe(name),
)
