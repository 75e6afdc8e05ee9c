// Texts as words of a POSIX shell, for commands that a person copies.

/** Inside single quotes no character is special. */
export const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`
