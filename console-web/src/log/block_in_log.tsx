// Whether the public log has one block, as it was checked in this browser.
import './log.css'
import { useQuery } from '@tanstack/react-query'
import type { Block } from '../blocks/block.ts'
import { messageOf } from '../data/api_failure.ts'
import { useConsole } from '../data/console_context.ts'
import { checkInclusion } from './check_inclusion.ts'

/** While the log has no checkpoint over the block. */
const AGAIN_MS = 15_000

export const BlockInLog = ({ block }: { block: Block }) => {
  const { api } = useConsole()
  const { data, error, failureReason } = useQuery({
    queryKey: ['block in log', block.id],
    queryFn: () => checkInclusion(api, block),
    refetchInterval: ({ state: { data: seen } }) => (seen?.kind === 'none' ? AGAIN_MS : false),
  })
  const failure = error ?? failureReason
  const isBroken = data?.kind === 'broken'
  return (
    <p
      className={isBroken ? 'alarm' : 'log-line'}
      role={isBroken ? 'alert' : undefined}
      data-testid="block-in-log"
      data-state={data?.kind ?? (failure === null ? undefined : 'failed')}
    >
      {data !== undefined
        ? data.words
        : failure === null
          ? 'The log’s proof is being checked…'
          : `The log could not be asked: ${messageOf(failure)}`}
    </p>
  )
}
