// Schemas of action results. Each carries its TypeScript type, and the compiler checks `run` against it.
import type { JsonSchema } from './kinds/kind.ts'

/** Used only by the compiler; never set. */
declare const CARRIES: unique symbol

/** A plain JSON Schema is also a ResultSchema; its TypeScript type is then unknown. */
export type ResultSchema<Value = unknown> = JsonSchema & { readonly [CARRIES]?: () => Value }

type Carried<One> = One extends { readonly [CARRIES]?: () => infer Value } ? Value : unknown

type Members = Readonly<Record<string, ResultSchema>>

type Whole<All extends Members> = {
  readonly [Name in keyof All as Name extends `${string}?` ? never : Name]: Carried<All[Name]>
} & {
  readonly [Name in keyof All as Name extends `${infer Own}?` ? Own : never]?: Carried<All[Name]>
}

/**
 * Returns the schema of an object with exactly these members. A member whose name ends in `?` may be absent.
 * @param title the name in the document; needed when the object is one of several alternatives
 */
export function resultOf<All extends Members>(members: All, title?: string): ResultSchema<Whole<All>> {
  const properties = Object.entries(members).map(([name, schema]) => [name.replace(/\?$/, ''), schema])
  const required = Object.keys(members).filter((name) => !name.endsWith('?'))
  return Object.freeze({
    ...(title === undefined ? {} : { title }),
    type: 'object',
    properties: Object.fromEntries(properties),
    required,
  })
}

export const textMember = (description: string): ResultSchema<string> => ({ type: 'string', description })

export const wholeMember = (description: string): ResultSchema<number> => ({ type: 'integer', description })

export const numberMember = (description: string): ResultSchema<number> => ({ type: 'number', description })

export const truthMember = (description: string): ResultSchema<boolean> => ({ type: 'boolean', description })

export const wordMember = <const Word extends string>(words: readonly Word[]): ResultSchema<Word> => ({
  type: 'string',
  enum: words,
})

export const listMember = <Entry>(
  items: ResultSchema<Entry>,
  maxItems: number,
  description: string,
): ResultSchema<readonly Entry[]> => ({ type: 'array', maxItems, description, items })
