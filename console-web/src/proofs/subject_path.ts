// The console page of the subject of a proof.

/**
 * Null when there is none. A beacon's page is found by its hash, which the proof does not carry under that
 * name.
 */
export const subjectPath = (type: string, id: string | null): string | null => {
  if (id === null || !/^[0-9A-Za-z-]{26,36}$/.test(id)) return null
  if (type === 'item') return `/items/${id}`
  if (type === 'block' || type === 'beacon') return `/blocks/${id}`
  return type.startsWith('entropy_') ? `/entropy/${id}` : null
}
