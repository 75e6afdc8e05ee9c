// What was stamped without an account, followed until its evidence is whole. Nobody else has its receipt.

import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import type { EvidenceFile } from '../../../shared/evidence/evidence.ts'
import { ulidTime } from '../../../shared/proof/ids.ts'
import { messageOf } from '../data/api_failure.ts'
import { useOutside } from '../outside/readiness.ts'
import { OnTheWay } from '../proofs/timeline.tsx'
import type { Way } from '../proofs/way.ts'
import { Button } from '../ui/button.tsx'
import { utcClock } from '../ui/format.ts'
import { Problem } from '../ui/problem.tsx'
import { saveFile } from '../ui/save_file.ts'
import { Shown } from '../ui/shown_text.tsx'
import { doorStamp, evidenceFile } from './door_stamp.ts'
import { type Progress, progressOf, readReceipt } from './receipt.ts'

type StampedProps = {
  readonly name: string
  /** Of the receipt. */
  readonly text: string
}

export const Stamped = ({ name, text }: StampedProps) => {
  const receipt = useMemo(() => readReceipt(text), [text])
  const { way, whole, failure } = useReceipt(receipt)
  const [isSaved, setSaved] = useState(false)
  const save = (): void => {
    saveFile(evidenceFile(name, whole ?? text))
    setSaved(true)
  }
  return (
    <>
      <h2>
        <Shown text={name} />
      </h2>
      <OnTheWay way={way} />
      <Problem>{failure}</Problem>
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
          ? `Safe already: signed at ${utcClock(way.handedInAt ?? '')}. Save the receipt before you close this page: there is no other copy.`
          : 'Complete. Keep this file beside yours: it is all that anybody needs to check it, and there is no other copy.'}
      </p>
      <p className="fine-print">
        What is stamped without an account belongs to nobody: no list has it, and nobody can take it back.
      </p>
    </>
  )
}

/** The next answer may be another one, and whoever waits looks at the page now and then. */
const SOONEST_MS = 3_000
const LATEST_MS = 30_000

/** Asks until its evidence is whole. */
const useReceipt = (receipt: EvidenceFile) => {
  const usual = useOutside()?.chains[0]
  const { data, dataUpdatedAt, error } = useQuery({
    queryKey: ['receipt', receipt.item.id],
    queryFn: ({ signal }) => progressOf(receipt, signal),
    refetchInterval: ({ state }) => state.error === null && waitAfter(state.data),
    refetchIntervalInBackground: true,
  })
  const whole = data?.kind === 'ready' ? data : null
  const leftMs = data === undefined || data.kind === 'ready' ? null : data.leftMs
  const way: Way = {
    of: 'item',
    stage: data?.kind ?? 'no_block',
    handedInAt: new Date(ulidTime(receipt.item.id)).toISOString(),
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
  return {
    way,
    /** The text of the whole evidence. Null until there is a proof. */
    whole: whole?.text ?? null,
    /** Why nothing more can be told. Null while it is asked again by itself. */
    failure: error === null ? null : messageOf(error),
  }
}

/** False when there is nothing more to ask for. */
const waitAfter = (progress: Progress | undefined): number | false => {
  if (progress?.kind === 'ready') return false
  return Math.min(LATEST_MS, Math.max(SOONEST_MS, progress?.leftMs ?? 0))
}
