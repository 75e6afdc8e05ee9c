// The address that names an account. No mail is ever sent to it, so only its form is judged.

/** Characters that cannot be seen are no part of it, because a list would show two addresses as one. */
const EMAIL = /^[^\s@\p{C}]{1,64}@[^\s@\p{C}]{1,190}$/u

export const isEmail = (given: string): boolean => EMAIL.test(given)
