// Reads members of received JSON without assuming anything about its shape.
export type JsonObject = { readonly [name: string]: unknown }

export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const objectAt = (value: unknown, name: string): JsonObject | null => {
  const member = isJsonObject(value) ? value[name] : undefined
  return isJsonObject(member) ? member : null
}

export const textAt = (value: unknown, name: string): string | null => {
  const member = isJsonObject(value) ? value[name] : undefined
  return typeof member === 'string' ? member : null
}

export const numberAt = (value: unknown, name: string): number | null => {
  const member = isJsonObject(value) ? value[name] : undefined
  return typeof member === 'number' && Number.isFinite(member) ? member : null
}
