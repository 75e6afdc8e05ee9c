// The members that `--json` of a command has, as a file, so that scripts can rely on them: a change shows in the diff.
import { expectGolden } from '../../surfaces/http/golden.ts'

/**
 * Whoever tests a command with `--json` calls this with one answer of each shape that it has. UPDATE_GOLDEN=1 writes the
 * file down.
 * @param name that of the command, and behind it what sort of answer it is: `verify evidence`
 */
export const expectMembers = (name: string, answer: unknown): void =>
  expectGolden(
    `json_members/${name.replaceAll(' ', '_')}.txt`,
    `${[...new Set(membersOf(answer))].sort().join('\n')}\n`,
    'UPDATE_GOLDEN=1 npx vitest run with this test file',
  )

/** Such as `findings[].text: string`. */
function* membersOf(value: unknown, path = ''): Generator<string> {
  if (Array.isArray(value)) {
    yield `${path}: array`
    for (const one of value) yield* membersOf(one, `${path}[]`)
  } else if (typeof value === 'object' && value !== null)
    for (const [name, member] of Object.entries(value))
      yield* membersOf(member, path === '' ? name : `${path}.${name}`)
  else yield `${path}: ${value === null ? 'null' : typeof value}`
}
