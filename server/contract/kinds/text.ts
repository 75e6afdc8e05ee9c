// Kinds of text: one, a list of them, or texts by name. Lengths count code points.
import { type Bounds, boundedList, boundedMap, boundedText, storableText } from '../bounds.ts'
import { storedText, storedTextList } from '../stored_form.ts'
import { type Kind, takenKind } from './kind.ts'

/** A name that is none is told as such, unless it is longer than any name could be. */
const LONGEST_NAME = 1_024

const EXAMPLE = 'A text'

export const text = (bounds: Bounds): Kind<string> =>
  takenKind('text', 'String', storableText(bounds), { stored: storedText(bounds.max), example: EXAMPLE })

/** Any characters at all: for what is only hashed or parsed. */
export const freeText = (bounds: Bounds): Kind<string> =>
  takenKind('free_text', 'String', boundedText(bounds), { example: EXAMPLE })

/** Text that is taken and never shown. Its characters are judged by whoever knows where it goes. */
export const secretText = (bounds: Bounds): Kind<string, never> =>
  takenKind('secret_text', 'String', boundedText(bounds).meta({ writeOnly: true }), { example: EXAMPLE })

/** Distinct texts, none of them empty. */
export const textList = ({ items, length }: { items: number; length: number }): Kind<readonly string[]> =>
  takenKind(
    'text_list',
    'String',
    boundedList({ max: items }, storableText({ min: 1, max: length }), {
      message: 'must be a list of strings',
      unique: true,
    }),
    { isList: true, stored: storedTextList(length), example: ['invoices'] },
  )

/** Names out of a closed set; which are none is judged by whoever knows the set, with a code of its own. */
export const names = (values: readonly string[], { min }: { min?: number } = {}): Kind<readonly string[]> =>
  takenKind(
    'names',
    'String',
    boundedList(
      { ...(min === undefined ? {} : { min }), max: 4 * values.length },
      boundedText({ max: LONGEST_NAME }).meta({ enum: values }),
      { message: 'must be a list of strings' },
    ),
    { isList: true, example: values.slice(0, 1) },
  )

/** Texts by name, taken and never shown; on GraphQL the JSON text of them. */
export const textMap = (bounds: {
  entries: number
  name: number
  length: number
}): Kind<Readonly<Record<string, string>>, never> =>
  takenKind(
    'text_map',
    'JsonString',
    boundedMap({ max: bounds.entries }, { min: 1, max: bounds.name }, { max: bounds.length }).meta({
      writeOnly: true,
    }),
    { example: {} },
  )
