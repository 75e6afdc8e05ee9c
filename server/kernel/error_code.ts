// Tells apart the errors that Node throws, by their code, such as ENOENT.

export const hasCode = (error: unknown, ...codes: readonly string[]): boolean =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' && codes.includes(error.code)

/** For `catch`: a file that is not there is undefined, and every other error is thrown on. */
export const whenMissing = (error: unknown): undefined => {
  if (hasCode(error, 'ENOENT')) return undefined
  throw error
}

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
