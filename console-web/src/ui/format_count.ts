// How the console writes numbers of things.

/** Such as 1,234. */
export const count = (number: number): string => number.toLocaleString('en-US')

/** Such as 1 block, 1,234 blocks. */
export const plural = (number: number, noun: string, nouns = `${noun}s`): string =>
  `${count(number)} ${number === 1 ? noun : nouns}`
