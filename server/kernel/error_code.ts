// Tells apart the errors that Node and the database throw, by their code, such as ENOENT.

/** Undefined for an error without a code. */
export const errorCode = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined

export const hasCode = (error: unknown, ...codes: readonly string[]): boolean =>
  codes.some((code) => code === errorCode(error))

/** The error and what caused it, also as MikroORM wraps errors. */
export function causes(error: unknown): Error[] {
  const found: Error[] = []
  for (
    let next = error;
    next instanceof Error && found.length < 8;
    next = next.cause ?? ('previous' in next ? next.previous : undefined)
  )
    found.push(next)
  return found
}

/** For `catch`: an error with one of these codes is undefined, and every other error is thrown on. */
export const whenCode =
  (...codes: readonly string[]) =>
  (error: unknown): undefined => {
    if (hasCode(error, ...codes)) return undefined
    throw error
  }

/** A file that is not there is undefined. */
export const whenMissing = whenCode('ENOENT')

/** As `whenMissing`, also where what should be a folder on the way is none. */
export const whenAbsent = whenCode('ENOENT', 'ENOTDIR')

export const isFullDisk = (error: unknown): boolean => hasCode(error, 'ENOSPC', 'EDQUOT')

/** Error codes for a folder that is not accessible, full, a file, or not available. */
const UNUSABLE = [
  'EACCES',
  'EPERM',
  'EROFS',
  'ENOTDIR',
  'EEXIST',
  'ENOENT',
  'ENAMETOOLONG',
  'ENOSPC',
  'EDQUOT',
] as const

/** True for an error that another folder would not have. */
export const isUnusableFolder = (error: unknown): error is Error => hasCode(error, ...UNUSABLE)
