// How command lines write a number of things.

/** Such as 1 block, 2 blocks. */
export const plural = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? '' : 's'}`
