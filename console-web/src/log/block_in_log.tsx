// Whether the public log has one block, as it was checked in this browser.
import './log.css'
import { useQuery } from '@tanstack/react-query'
import type { Block } from '../blocks/block.ts'
import { messageOf } from '../data/api_failure.ts'
import { useConsole } from '../data/console_context.ts'
import { textAt } from '../data/json_object.ts'
import { count } from '../ui/format.ts'
import { checkInclusion, type Inclusion } from './check_inclusion.ts'
import { readSeenLog } from './seen_log.ts'

/** While the log has no checkpoint over the block. */
const AGAIN_MS = 15_000

export const BlockInLog = ({ block }: { block: Block }) => {
  const { api } = useConsole()
  const signature = textAt(block.raw.attributes, 'signature') ?? ''
  const { data, error, failureReason } = useQuery({
    queryKey: ['block in log', block.id],
    queryFn: () => checkInclusion(api, block, signature, readSeenLog()?.key ?? null),
    refetchInterval: ({ state: { data: seen } }) => (seen?.kind === 'none' ? AGAIN_MS : false),
  })
  const failure = error ?? failureReason
  if (data?.kind === 'broken')
    return (
      <p className="alarm" role="alert" data-testid="block-in-log" data-state="broken">
        The public log does not show that it has this block. {data.why}
      </p>
    )
  return (
    <p
      className="log-line"
      data-testid="block-in-log"
      data-state={data?.kind ?? (failure === null ? undefined : 'failed')}
    >
      {data !== undefined
        ? wordsFor(data)
        : failure === null
          ? 'The log’s proof is being checked…'
          : `The log could not be asked: ${messageOf(failure)}`}
    </p>
  )
}

const wordsFor = (inclusion: Exclude<Inclusion, { kind: 'broken' }>): string =>
  inclusion.kind === 'none'
    ? 'The log shows no checkpoint that covers this block yet.'
    : `In the log as entry ${count(inclusion.index)} of ${count(inclusion.size)}: the entry was computed here from the block, and ${count(inclusion.steps)} hashes lead from it to the root of the checkpoint that the log has signed.`
