// The order of the test files: what lasts longest does not begin last, where the other workers would wait for it.
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Longer than every other file. It begins before those of its project, and the files without a database end the run. */
const LONGEST = 'test/faults/hostile_caller.test.ts'

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const longest = sorted.find(({ moduleId }) => moduleId.endsWith(LONGEST))
    if (longest === undefined) return sorted
    const begin = sorted.findIndex(({ project }) => project === longest.project)
    const others = sorted.filter((file) => file !== longest)
    return others.toSpliced(begin, 0, longest)
  }
}
