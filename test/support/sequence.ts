// The order of the test files: what lasts long does not begin last, where the other workers would wait for it.
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** The longest of their projects. They begin before the others. */
const LONGEST = [
  'test/browser/gates/pages.test.ts',
  'test/faults/start_refused.test.ts',
  'test/domain/ledger/bit_flip.test.ts',
  'test/faults/fleet.test.ts',
  'test/conformance/openapi.test.ts',
  'test/faults/hostile_caller.test.ts',
  'test/faults/first_start.test.ts',
  'test/proof/bit_flips.test.ts',
  'test/proof/bit_flips_largest.test.ts',
  'test/surfaces/agent/scripts/escapes.test.ts',
]

const isLong = ({ moduleId }: TestSpecification): boolean => LONGEST.some((name) => moduleId.endsWith(name))

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const projects = [...new Set(sorted.map(({ project }) => project))]
    return projects.flatMap((project) => {
      const own = sorted.filter((file) => file.project === project)
      return [...own.filter(isLong), ...own.filter((file) => !isLong(file))]
    })
  }
}
