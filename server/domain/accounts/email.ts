// The address that names an account. No mail is ever sent to it, so only its form is judged.
const EMAIL = /^[^\s@\0]{1,64}@[^\s@\0]{1,190}$/

export const isEmail = (given: string): boolean => EMAIL.test(given)
