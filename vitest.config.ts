import { defineConfig } from 'vitest/config'

export default defineConfig({
  // graphql must be loaded once: type-graphql and graphql-http would otherwise each bring their own realm.
  resolve: { alias: { graphql: new URL('node_modules/graphql/index.js', import.meta.url).pathname } },
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/global_setup.ts'],
    maxWorkers: 2,
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
