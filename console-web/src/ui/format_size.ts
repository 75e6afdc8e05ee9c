// How the console writes sizes of files.

/** Such as 512 B, 3.4 kB, 12 MB. Powers of ten, as in file managers. */
export const fileSize = (bytes: number): string => {
  if (bytes < 1_000) return `${bytes} B`
  const step = Math.min(UNITS.length, Math.floor(Math.log10(bytes) / 3))
  const value = bytes / 1_000 ** step
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} ${UNITS[step - 1]}`
}

const UNITS = ['kB', 'MB', 'GB', 'TB'] as const
