// Finds places in the text of the schema: of a word, and of what defines a type or a field.

/** A type, or one field of it. */
export type SchemaPlace = { readonly type: string; readonly field: string | null }

/** Where the word stands, from the beginning on, whatever its case. */
export const placesOf = (text: string, word: string): readonly number[] => {
  const wanted = word.trim().toLowerCase()
  if (wanted === '') return []
  const whole = text.toLowerCase()
  const places: number[] = []
  for (let at = whole.indexOf(wanted); at !== -1; at = whole.indexOf(wanted, at + wanted.length))
    places.push(at)
  return places
}

/** The name where it is defined. Null when the schema has no such type or field. */
export const definitionIn = (
  text: string,
  { type, field }: SchemaPlace,
): { readonly from: number; readonly length: number } | null => {
  const head = new RegExp(`^(?:type|interface|input|enum|union|scalar) ${type}\\b`, 'm').exec(text)
  if (head === null) return null
  const from = head.index + head[0].length - type.length
  if (field === null) return { from, length: type.length }
  const members = text.slice(from, text.indexOf('\n}', from))
  const member = new RegExp(`^  ${field}(?=[(:])`, 'm').exec(members)
  return member === null ? null : { from: from + member.index + 2, length: field.length }
}
