// What was stamped without an account, followed until its evidence is whole. Nobody else has its receipt.
import { Button } from '../ui/button.tsx'
import { Problem } from '../ui/problem.tsx'
import './stamp.css'
import { useMemo, useState } from 'react'
import { OnTheWay } from '../proofs/timeline.tsx'
import { utcClock } from '../ui/format.ts'
import { saveFile } from '../ui/save_file.ts'
import { Shown } from '../ui/shown_text.tsx'
import { readReceipt } from './receipt.ts'
import { useReceipt } from './use_receipt.ts'

type StampedProps = {
  readonly name: string
  /** Of the receipt. */
  readonly text: string
  readonly onAnother: () => void
}

export const Stamped = ({ name, text, onAnother }: StampedProps) => {
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
            onAnother()
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

export const evidenceFile = (name: string, text: string): File => new File([text], `${name}.pharos`)
