// Kinds of JSON values: objects, an object or its text, and lists of values.
import type { z } from 'zod'
import type { JsonObject } from '../../../shared/proof/json_value.ts'
import type { JsonText } from '../../kernel/json_text.ts'
import { base64Length, boundedList, boundedObject, boundedObjectOrText } from '../bounds.ts'
import { type Kind, takenKind } from './kind.ts'

/** A JSON object of so many bytes at most, published as itself; on GraphQL as its JSON text. */
export const jsonObject = ({ bytes }: { bytes: number }): Kind<JsonObject, JsonText> =>
  takenKind('json_object', 'JsonString', boundedObject(bytes), { example: {} })

/** A JSON object of so many bytes at most, or the text of what stands for one, base64 included. On GraphQL always the text. */
export const objectOrText = ({ bytes }: { bytes: number }): Kind<JsonObject | string> =>
  takenKind('object_or_text', 'String', boundedObjectOrText({ bytes, max: base64Length(bytes) }), {
    example: 'A text',
  })

/** A list of JSON values, at least one and at most so many; on GraphQL its JSON text. */
export const list = <Entry>(entry: z.ZodType<Entry>, most: number): Kind<readonly Entry[]> =>
  takenKind('list', 'JsonString', boundedList({ min: 1, max: most }, entry), { example: [{}] })
