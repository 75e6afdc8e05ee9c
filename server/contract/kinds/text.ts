// Kinds of text: one text, a list of texts, or texts by name. Lengths count code points.
import { type Bounds, boundedList, boundedMap, boundedText, storableText } from '../bounds.ts'
import { storedText, storedTextList } from '../stored_form.ts'
import { type Kind, takenKind } from './kind.ts'

/**
 * Names up to this length are checked against the set, so that the refusal can quote an unknown
 * name. No real name is longer.
 */
const LONGEST_NAME = 1_024

const EXAMPLE = 'A text'

export const text = (bounds: Bounds): Kind<string> =>
  takenKind('text', 'String', storableText(bounds), { stored: storedText(bounds.max), example: EXAMPLE })

/** Text with any characters, for values that are only hashed or parsed. */
export const freeText = (bounds: Bounds): Kind<string> =>
  takenKind('free_text', 'String', boundedText(bounds), { example: EXAMPLE })

/** Text that is accepted and never shown. The operation checks its characters, because they depend on its use. */
export const secretText = (bounds: Bounds): Kind<string, never> =>
  takenKind('secret_text', 'String', boundedText(bounds).meta({ writeOnly: true }), { example: EXAMPLE })

/** Distinct, non-empty texts. */
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

/** Names from a closed set. The operation checks for unknown names, because it has its own error code for them. */
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

/** Texts by name that are accepted and never shown. On GraphQL they are JSON text. */
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
