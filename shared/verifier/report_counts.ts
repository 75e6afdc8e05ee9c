// How many rows of a report have each status, in words.
import type { Report } from '../proof/verify/report.ts'

/** Such as `12 passed` and `2 not checked`. A status that no row has is left out. */
export const reportCounts = (report: Report): string[] =>
  (
    [
      [report.pass_count, 'passed'],
      [report.failed_count, 'failed'],
      [report.warn_count, 'to note'],
      [report.info_count, 'for information'],
      [report.skip_count, 'not checked'],
    ] as const
  )
    .filter(([count]) => count > 0)
    .map(([count, word]) => `${count} ${word}`)
