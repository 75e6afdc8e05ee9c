import { availableParallelism } from 'node:os'
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config'
import { type ProjectName, testFiles } from './test/support/projects.ts'

const files = testFiles()

/** Workers are kept: what test files import is loaded once a worker, not once a file. */
const project = (
  name: ProjectName,
  how: Pick<NonNullable<TestProjectInlineConfiguration['test']>, 'pool' | 'globalSetup'>,
): TestProjectInlineConfiguration => ({
  extends: true,
  test: { name, include: [...files[name]], isolate: false, ...how },
})

const DATABASE = 'test/support/global_setup.ts'
const BROWSER = 'test/support/browser_setup.ts'
const SERVER = 'test/support/built_server.ts'

export default defineConfig({
  // graphql must be loaded once: type-graphql and graphql-http would otherwise each bring their own realm.
  resolve: { alias: { graphql: new URL('node_modules/graphql/index.js', import.meta.url).pathname } },
  test: {
    projects: [
      project('checks', { pool: 'threads' }),
      project('unit', { pool: 'threads' }),
      project('database', { pool: 'forks', globalSetup: [DATABASE, SERVER] }),
      project('browser', { pool: 'forks', globalSetup: [DATABASE, BROWSER, SERVER] }),
      project('soak', { pool: 'forks', globalSetup: [DATABASE, BROWSER, SERVER] }),
    ],
    // One more than there are cores, because a third of a run is waiting for times that are part of the behaviour.
    maxWorkers: Math.min(availableParallelism() + 1, 4),
    testTimeout: 150_000,
    hookTimeout: 120_000,
    // A condition that is waited for may come late on a busy machine; a second is too little for a cold page.
    expect: { poll: { timeout: 60_000 } },
    server: {
      deps: {
        inline: ['type-graphql', 'graphql-http', 'graphql-ws', 'cm6-graphql', 'graphql-language-service'],
      },
    },
  },
})
