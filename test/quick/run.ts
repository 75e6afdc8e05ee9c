// `npm run test:quick`: the tests without a database, and those of the others that are nearest to what was changed.
import { execFileSync, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { testFiles } from '../support/projects.ts'
import { nearestTests } from './nearest_tests.ts'

const ROOT = join(import.meta.dirname, '..', '..')

/** As many test files with a database end within half a minute on two cores. */
const AT_MOST = 20

const git = (...words: readonly string[]): string[] =>
  execFileSync('git', words, { cwd: ROOT, encoding: 'utf8' }).split('\n').filter(Boolean)

/** Since this branch left `main`; on `main` itself since the last commit. */
function changedFiles(): string[] {
  const [since = 'HEAD'] = git('merge-base', 'HEAD', 'main')
  return [...git('diff', '--name-only', since), ...git('ls-files', '--others', '--exclude-standard')]
}

const { unit, database, browser } = testFiles()
const changed = changedFiles()
const near = [...nearestTests(database, changed), ...browser.filter((file) => changed.includes(file))]
const files = near.slice(0, AT_MOST)
if (near.length > files.length)
  process.stderr.write(
    `${near.length} more test files reach what was changed; the nearest ${files.length} run.\n`,
  )
const vitest = join(ROOT, 'node_modules', 'vitest', 'vitest.mjs')
const { status } = spawnSync(process.execPath, [vitest, 'run', ...unit, ...files], {
  cwd: ROOT,
  stdio: 'inherit',
})
process.exitCode = status ?? 1
