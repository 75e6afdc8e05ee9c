// The master key of all test databases. The template was created with it.

export const TEST_MASTER_KEY = Buffer.alloc(32, 7)
