// Kinds of JSON values: an object, an object or its text, and a list of values.
import type { z } from 'zod'
import type { JsonObject } from '../../../shared/proof/json_value.ts'
import { JsonText } from '../../kernel/json_text.ts'
import { base64Length, boundedList, boundedObject, boundedObjectOrText } from '../bounds.ts'
import { type Kind, takenKind } from './kind.ts'

/** A JSON object of at most `bytes` bytes, published as an object. On GraphQL it is JSON text. */
export const jsonObject = ({ bytes }: { bytes: number }): Kind<JsonObject, JsonText, string> =>
  takenKind('json_object', 'JsonString', boundedObject(bytes), { show: asHashed, example: {} })

/** Canonical JSON text leaves unchanged, because its exact bytes were hashed. */
export const asHashed = (canonical: string): JsonText => new JsonText(canonical)

/**
 * A JSON object of at most `bytes` bytes, or a text that encodes one, such as JSON or base64. On
 * GraphQL it is always text.
 */
export const objectOrText = ({ bytes }: { bytes: number }): Kind<JsonObject | string> =>
  takenKind('object_or_text', 'String', boundedObjectOrText({ bytes, max: base64Length(bytes) }), {
    example: 'A text',
  })

/** A list of JSON values, at least one unless said otherwise. On GraphQL it is JSON text. */
export const listOf = <Entry>(
  entry: z.ZodType<Entry>,
  most: number,
  { mayBeEmpty = false }: { readonly mayBeEmpty?: boolean } = {},
): Kind<readonly Entry[]> =>
  takenKind('list', 'JsonString', boundedList({ ...(mayBeEmpty ? {} : { min: 1 }), max: most }, entry), {
    example: [{}],
  })
