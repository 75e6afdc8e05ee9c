// What was stamped without an account, followed until its evidence is whole. Nobody else has its receipt.
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { ulidTime } from '../../../shared/proof/ids.ts'
import { messageOf } from '../data/api_failure.ts'
import { useOutside } from '../outside/readiness.ts'
import { OnTheWay } from '../proofs/timeline.tsx'
import type { Way } from '../proofs/way.ts'
import { Button } from '../ui/button.tsx'
import { utcClock } from '../ui/format.ts'
import { Problem } from '../ui/problem.tsx'
import { saveFile } from '../ui/save_file.ts'
import { nameText, Shown } from '../ui/shown_text.tsx'
import { doorStamp, evidenceFile } from './door_stamp.ts'
import { progressOf, readReceipt } from './receipt.ts'

type StampedProps = {
  readonly name: string
  /** Of the receipt. */
  readonly text: string
}

/** Until the service has told its own. */
const USUAL_INTERVAL_MS = 60_000
/** What is due is there a moment later. */
const AFTER_MS = 1_000
/** How long a chain takes is a guess of the service. */
const LATEST_MS = 600_000

export const Stamped = ({ name, text }: StampedProps) => {
  const receipt = useMemo(() => readReceipt(text), [text])
  const handedInMs = ulidTime(receipt.item.id)
  const outside = useOutside()
  const intervalMs = outside?.blockIntervalMs || USUAL_INTERVAL_MS
  // Blocks are made at boundaries that are aligned to the clock.
  const nextBlockAt = (ms: number): number => (Math.floor(ms / intervalMs) + 1) * intervalMs
  const { data, dataUpdatedAt, error } = useQuery({
    queryKey: ['receipt', receipt.item.id],
    queryFn: ({ signal }) => progressOf(receipt, signal),
    // While it has no block, an answer is a 404, which a browser notes as an error. So nothing is asked before it is due.
    initialData: { kind: 'no_block', leftMs: null },
    initialDataUpdatedAt: handedInMs,
    staleTime: Number.POSITIVE_INFINITY,
    refetchInterval: ({ state: { data, dataUpdatedAt, error } }) => {
      if (error !== null || data === undefined || data.kind === 'ready') return false
      if (data.kind === 'waiting') return Math.min(LATEST_MS, data.leftMs ?? LATEST_MS) + AFTER_MS
      // Of a clock that is wrong no more is believed than one block.
      return Math.max(AFTER_MS, Math.min(intervalMs, nextBlockAt(dataUpdatedAt) - Date.now()) + AFTER_MS)
    },
    refetchIntervalInBackground: true,
  })
  const [isSaved, setSaved] = useState(false)
  const whole = data.kind === 'ready' ? data : null
  const handedInAt = new Date(handedInMs).toISOString()
  const way: Way = {
    of: 'item',
    stage: data.kind,
    handedInAt,
    block: { id: null, height: whole?.height ?? null, at: whole?.inBlockAt ?? null },
    commitments: {
      kind: 'found',
      value: (whole?.chains ?? []).map((one) => ({
        ...one,
        state: 'confirmed',
        confirmedAt: null,
        error: null,
      })),
    },
    usual: outside?.chains[0],
    blockDueAt: outside?.blockIntervalMs ? nextBlockAt(dataUpdatedAt) : null,
    chainDueAt: data.leftMs === null ? null : dataUpdatedAt + data.leftMs,
  }
  const save = (): void => {
    saveFile(evidenceFile(name, whole?.text ?? text))
    setSaved(true)
  }
  return (
    <>
      <h2>
        <Shown text={nameText(name)} />
      </h2>
      <OnTheWay way={way} />
      <Problem>{error !== null && messageOf(error)}</Problem>
      <div className="acts main">
        <Button look="primary" data-testid="save-evidence" onClick={save}>
          {whole === null ? 'Save the receipt' : 'Save the evidence'}
        </Button>
        <Button
          data-testid="another"
          onClick={() => {
            if (!isSaved) save()
            doorStamp.write(null)
          }}
        >
          Timestamp another
        </Button>
      </div>
      <p className="safe-already" data-testid="safe-already" role="status">
        {whole === null
          ? `Safe already: signed at ${utcClock(handedInAt)} UTC. Save the receipt before you close this page: there is no other copy.`
          : 'Complete. Keep this file beside yours: it is all that anybody needs to check it, and there is no other copy.'}
      </p>
      <p className="fine-print">
        What is stamped without an account belongs to nobody: no list has it, and nobody can take it back.
      </p>
    </>
  )
}
