// Text that people chose, as what it is: characters that are not seen and change how others are read are shown by name.
import { createElement } from 'react'

/** For places that take only text, such as the title of a page, e.g. `fdp.<U+202E>exe`. */
export const shownText = (text: string): string => text.replaceAll(HIDDEN, nameOf)

/** Keeps the direction of the text to itself, and that of each name in it. */
export const Shown = ({ text }: { text: string }) =>
  // Every second part is a character that `split` has found.
  createElement(
    'bdi',
    null,
    ...text
      .split(HIDDEN)
      .map((part, index) => (index % 2 === 0 ? part : createElement('bdi', { dir: 'ltr' }, nameOf(part)))),
  )

/** Words side by side, such as tags. */
export const Tags = ({ words }: { words: readonly string[] }) => (
  <p className="tags">
    {words.map((word) => (
      <span key={word}>
        <Shown text={word} />
      </span>
    ))}
  </p>
)

/** A name with nothing to see in it, such as one of spaces, would be an empty link or heading. */
export const nameText = (name: string): string => (BLANK.test(shownText(name)) ? '(no name)' : name)

const BLANK = /^[\s\p{Default_Ignorable_Code_Point}\u2800]*$/u

const nameOf = (sign: string): string =>
  `<U+${(sign.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}>`

/**
 * Controls, marks and overrides of direction, and what has no width. Line breaks, tabs and the joiners that words and
 * emoji are written with stay.
 */
const HIDDEN = /((?![\t\n\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}])/gu
