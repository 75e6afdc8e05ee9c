// What was stamped without an account, followed until its evidence is whole. Nobody else has its receipt.
import './stamp.css'
import { useMemo, useState } from 'react'
import { Timeline, useServiceTime } from '../proofs/timeline.tsx'
import { TrialNote } from '../proofs/trial_note.tsx'
import { wayLine } from '../proofs/way.ts'
import { utcClock } from '../ui/format_time.ts'
import { type NamedFile, saveFile } from '../ui/save_file.ts'
import { Shown } from '../ui/shown_text.tsx'
import { readReceipt } from './receipt.ts'
import { isTrial, useChains, useReceipt, wayOfReceipt } from './use_receipt.ts'

type StampedProps = {
  readonly name: string
  /** Of the receipt. */
  readonly text: string
  readonly onAnother: () => void
}

export const Stamped = ({ name, text, onAnother }: StampedProps) => {
  const receipt = useMemo(() => readReceipt(text), [text])
  const followed = useReceipt(receipt)
  const chains = useChains()
  const now = useServiceTime()
  const { progress, failure } = followed
  const way = wayOfReceipt(receipt, followed, chains)
  const whole = progress?.kind === 'ready' ? progress.text : null
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
      <p className="way-line" data-testid="way-line" role="status">
        {wayLine(way, now)}
      </p>
      <Timeline way={way} isWide />
      {isTrial(chains) && <TrialNote />}
      {failure !== null && (
        <p className="problem" role="alert">
          {failure}
        </p>
      )}
      <div className="acts">
        <button type="button" className="button primary" data-testid="save-evidence" onClick={save}>
          {whole === null ? 'Save the receipt' : 'Save the evidence'}
        </button>
        <button
          type="button"
          className="button"
          data-testid="another"
          onClick={() => {
            if (!isSaved) save()
            onAnother()
          }}
        >
          Timestamp another
        </button>
      </div>
      <p className="safe-already" data-testid="safe-already">
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

export const evidenceFile = (name: string, text: string): NamedFile => ({
  name: `${name}.pharos`,
  bytes: text,
})
