// Members of an object that must each find a place: whoever forgets one is told by the compiler.

/**
 * What is left after all of them were taken out by name:
 * `const { name, age, ...others } = person; others satisfies NothingLeft`. A member that is added later is an error there.
 */
export type NothingLeft = Readonly<Record<string, never>>
