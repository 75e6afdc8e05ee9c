// Makes the compiler report members of an object that were not handled.

/**
 * The type of what is left after all members were taken out by name: `const { name, age, ...others } = person; others
 * satisfies NothingLeft`. A member that is added later is a compile error there.
 */
export type NothingLeft = Readonly<Record<string, never>>
