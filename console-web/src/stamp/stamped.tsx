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

/** The next answer may be another one, and whoever waits looks at the page now and then. */
const SOONEST_MS = 3_000
const LATEST_MS = 30_000

export const Stamped = ({ name, text }: StampedProps) => {
  const receipt = useMemo(() => readReceipt(text), [text])
  const usual = useOutside()?.chains[0]
  const { data, dataUpdatedAt, error } = useQuery({
    queryKey: ['receipt', receipt.item.id],
    queryFn: ({ signal }) => progressOf(receipt, signal),
    refetchInterval: ({ state }) =>
      state.error === null &&
      state.data?.kind !== 'ready' &&
      Math.min(LATEST_MS, Math.max(SOONEST_MS, state.data?.leftMs ?? 0)),
    refetchIntervalInBackground: true,
  })
  const [isSaved, setSaved] = useState(false)
  const whole = data?.kind === 'ready' ? data : null
  const leftMs = data?.leftMs ?? null
  const handedInAt = new Date(ulidTime(receipt.item.id)).toISOString()
  const way: Way = {
    of: 'item',
    stage: data?.kind ?? 'no_block',
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
    usual,
    blockDueAt: null,
    chainDueAt: leftMs === null ? null : dataUpdatedAt + leftMs,
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
