// The values just beyond what a schema allows, and far beyond: made from the document, so that what it says is what is tried.
import { asSchema, type Schema } from './openapi/json_schema.ts'

export interface Hostile {
  readonly title: string
  readonly value: unknown
  /** Below the attribute, where the refusal points: `/0`. */
  readonly at: string
  /** What `meta.maximum` must say; absent where it is another mistake. */
  readonly maximum?: number
  /** True when nothing may be refused for its size. */
  readonly fits?: true
}

/** About as many as a body holds. */
const MANY = { members: 16_000, elements: 250_000, characters: 500_000 } as const

export function hostileValues(resolve: (reference: string) => Schema, node: Schema): Hostile[] {
  const schema = plain(resolve, node)
  const types = typesOf(schema)
  return [
    ...strangers(types),
    ...(types.includes('string') ? longTexts(schema) : []),
    ...(types.includes('array') ? longLists(resolve, schema) : []),
    ...(types.includes('object') ? wideObjects(schema) : []),
    ...(types.includes('integer') ? bigNumbers(schema) : []),
  ]
}

/** With what it refers to; alternatives as one schema of several types. */
export function plain(resolve: (reference: string) => Schema, schema: Schema): Schema {
  if (typeof schema.$ref === 'string') return plain(resolve, resolve(schema.$ref))
  if (!Array.isArray(schema.anyOf) || schema.type !== undefined) return schema
  const whole = schema.anyOf.map((one) => plain(resolve, asSchema(one)))
  return { ...Object.assign({}, ...whole), type: whole.flatMap(typesOf) }
}

const typesOf = ({ type }: Schema): string[] => (Array.isArray(type) ? type.map(String) : [String(type)])

function strangers(types: readonly string[]): Hostile[] {
  const all: [string, unknown][] = [
    ['string', 'x'],
    ['integer', 5],
    ['boolean', true],
    ['array', []],
    ['object', {}],
    ['null', null],
  ]
  return all.flatMap(([type, value]) =>
    types.includes(type) ? [] : [{ title: `of type ${type}`, value, at: '' }],
  )
}

function longTexts({ maxLength, enum: members, format, pattern }: Schema): Hostile[] {
  const most = Number(maxLength)
  const isForm = members !== undefined || format !== undefined || pattern !== undefined
  return [
    {
      title: 'far too long',
      value: 'x'.repeat(MANY.characters),
      at: '',
      ...(isForm || most >= MANY.characters ? {} : { maximum: most }),
      ...(most >= MANY.characters ? { fits: true } : {}),
    },
    ...(isForm || most >= MANY.characters
      ? []
      : [
          { title: 'one character too long', value: 'x'.repeat(most + 1), at: '', maximum: most },
          // Two UTF-16 code units each: it is characters that count.
          {
            title: 'as long as can be',
            value: (4 * most < MANY.characters ? '🏁' : 'x').repeat(most),
            at: '',
            fits: true as const,
          },
        ]),
  ]
}

function longLists(resolve: (reference: string) => Schema, { maxItems, items }: Schema): Hostile[] {
  const maximum = Number(maxItems)
  const element = plain(resolve, asSchema(items))
  const isText = typesOf(element).includes('string')
  const good = (index: number): unknown =>
    Array.isArray(element.enum) ? element.enum[0] : isText ? `text ${index}` : {}
  return [
    {
      title: 'one entry too many',
      value: Array.from({ length: maximum + 1 }, (_, index) => good(index)),
      at: '',
      maximum,
    },
    {
      title: 'full',
      value: Array.from({ length: maximum }, (_, index) => good(index)),
      at: '',
      fits: true,
    },
    { title: 'of 250,000 wrong elements', value: new Array(MANY.elements).fill(0), at: '', maximum },
    {
      title: 'of 85,000 short texts',
      value: Array.from({ length: 75_000 }, (_, index) => index.toString(36)),
      at: '',
      maximum,
    },
    ...(isText && element.enum === undefined
      ? [
          {
            title: 'with a text too long',
            value: ['x'.repeat(Number(element.maxLength) + 1)],
            at: '/0',
            maximum: Number(element.maxLength),
          },
        ]
      : []),
  ]
}

function wideObjects(schema: Schema): Hostile[] {
  const wide = Object.fromEntries(Array.from({ length: MANY.members }, (_, index) => [index.toString(36), 0]))
  const bytes = typeof schema['x-max-bytes'] === 'number' ? schema['x-max-bytes'] : undefined
  const maximum = bytes ?? Number(schema.maxProperties)
  const isTexts = typeof schema.additionalProperties === 'object'
  const hasRoom = bytes !== undefined && bytes >= JSON.stringify(wide).length
  return [
    { title: 'of 16,000 members', value: wide, at: '', ...(hasRoom ? { fits: true } : { maximum }) },
    ...(bytes !== undefined && bytes < MANY.characters
      ? [{ title: 'with too many bytes', value: { name: 'x'.repeat(bytes) }, at: '', maximum: bytes }]
      : []),
    ...(isTexts ? mapEntries(schema) : []),
  ]
}

function mapEntries({ maxProperties, propertyNames, additionalProperties }: Schema): Hostile[] {
  const most = Number(maxProperties)
  const name = Number(asSchema(propertyNames).maxLength)
  const value = Number(asSchema(additionalProperties).maxLength)
  const entries = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`x-${index}`, 'v']))
  const long = 'x'.repeat(name + 1)
  return [
    { title: 'one entry too many', value: entries(most + 1), at: '', maximum: most },
    { title: 'full', value: entries(most), at: '', fits: true },
    { title: 'with a name too long', value: { [long]: 'v' }, at: `/${long}`, maximum: name },
    { title: 'with a value too long', value: { 'x-a': 'v'.repeat(value + 1) }, at: '/x-a', maximum: value },
  ]
}

function bigNumbers({ maximum, minimum }: Schema): Hostile[] {
  return [
    ...(typeof maximum === 'number'
      ? [{ title: 'too great a number', value: maximum + 1, at: '', maximum }]
      : []),
    ...(typeof minimum === 'number' ? [{ title: 'too small a number', value: minimum - 1, at: '' }] : []),
  ]
}
