// Schemas of what actions answer. Each carries the type of what it describes, and `run` is held against it.
import type { JsonSchema } from './kinds/kind.ts'

/** For the compiler alone: never set. */
declare const CARRIES: unique symbol

/** A plain JSON Schema is one too; of what it describes nothing is known then. */
export type ResultSchema<Value = unknown> = JsonSchema & { readonly [CARRIES]?: () => Value }

type Carried<One> = One extends { readonly [CARRIES]?: () => infer Value } ? Value : unknown

type Members = Readonly<Record<string, ResultSchema>>

type Whole<All extends Members> = {
  readonly [Name in keyof All as Name extends `${string}?` ? never : Name]: Carried<All[Name]>
} & {
  readonly [Name in keyof All as Name extends `${infer Own}?` ? Own : never]?: Carried<All[Name]>
}

/**
 * The schema of an object with exactly these members; a name that ends in `?` may be absent.
 * @param title what the document calls it; needed where it is one of several alternatives
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
