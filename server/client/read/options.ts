// Options that several reading commands have.
import type { Options } from '../../../shared/cli/command.ts'
import { Complaint } from '../../../shared/cli/terminal.ts'
import { readTime } from '../../../shared/search/read_time.ts'

export const JSON_OPTION: Options = {
  json: { type: 'boolean', meaning: 'prints JSON' },
}

/** ISO 8601. @throws Complaint when the text is no time, or one that is still to come */
export function sinceTime(text: string): string {
  const time = readTime(text.trim(), Date.now())
  if (time === null)
    throw new Complaint(`${text} is no time of the past.`, {
      advice: 'Such as 2026-11-26, 2026-11-26T18:00:00Z, 14:02, yesterday or "2 hours ago", in UTC.',
    })
  return new Date(time.from).toISOString()
}
