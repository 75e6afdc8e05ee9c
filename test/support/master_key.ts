// The master key of every database of the tests: the template is made with it.

export const TEST_MASTER_KEY = Buffer.alloc(32, 7)
