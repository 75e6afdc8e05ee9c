// What the printer gets of a page about a proof: one sheet, with everything that somebody needs who has only the paper and
// the file. Not seen on the screen.
import { Button } from '../ui/button.tsx'
import { lazyPart } from '../ui/load/lazy.tsx'
import { Shown, shownText } from '../ui/shown_text.tsx'
import { verifyCommand } from './later_check.tsx'

const QrCode = lazyPart(async () => (await import('./qr_code.tsx')).QrCode)

/** What is null is not on the sheet. */
export type PrintedFact = readonly [name: string, value: string | null]

type PrintSheetProps = {
  /** Such as `Timestamp`. */
  readonly kind: string
  readonly title: string
  readonly facts: readonly PrintedFact[]
  /** Where it is verified. It is on the sheet as a QR code too. */
  readonly link: string
  /** Of the proof. */
  readonly fileName: string
}

export const PrintSheet = ({ kind, title, facts, link, fileName }: PrintSheetProps) => (
  <section className="print-sheet">
    <header>
      <div>
        <p>{kind} · Pharos</p>
        <h2>
          <Shown text={title} />
        </h2>
      </div>
      <QrCode text={link} />
    </header>
    <dl>
      {facts.map(
        ([name, value]) =>
          value !== null && (
            <div key={`${name} ${value}`}>
              <dt>{name}</dt>
              <dd>{shownText(value)}</dd>
            </div>
          ),
      )}
    </dl>
    <h3>To check it</h3>
    <ol>
      <li>
        Open <code>{shownText(link)}</code> and give it the proof and the file. Both stay on your computer.
      </li>
      <li>
        Without this service, on any computer with Node 20 or later:{' '}
        <code>{shownText(verifyCommand(fileName))}</code>
      </li>
    </ol>
  </section>
)

export const PrintButton = () => (
  <Button data-testid="print" onClick={() => window.print()}>
    Print
  </Button>
)
