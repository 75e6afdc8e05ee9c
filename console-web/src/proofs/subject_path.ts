// The page of the console about what a proof proves.

/** Null where the console has none: a beacon's page goes by its hash, which the proof does not carry as such. */
export const subjectPath = (type: string, id: string | null): string | null => {
  if (id === null || !/^[0-9A-Za-z-]{26,36}$/.test(id)) return null
  if (type === 'item') return `/items/${id}`
  if (type === 'block' || type === 'beacon') return `/blocks/${id}`
  return type.startsWith('entropy_') ? `/entropy/${id}` : null
}
