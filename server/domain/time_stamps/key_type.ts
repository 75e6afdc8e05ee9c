// The keys that the authority makes for itself.

/** ECDSA over P-256, or RSA of 3,072 bits for the programs that know nothing else. */
export const KEY_TYPES = ['p256', 'rsa'] as const

export type KeyType = (typeof KEY_TYPES)[number]
