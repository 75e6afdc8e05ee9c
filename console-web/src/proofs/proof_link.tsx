// The link to the verification page of a subject, and its QR code when asked for.
import './proofs.css'
import { useState } from 'react'
import type { ProofType } from '../../../shared/proof/signed_payload.ts'
import { CopyButton } from '../ui/copy_button.tsx'
import { lazyPart } from '../ui/load/lazy.tsx'

const QrCode = lazyPart(async () => (await import('./qr_code.tsx')).QrCode)

export const ProofLink = ({ type, id }: { type: ProofType; id: string }) => {
  const [isShown, setShown] = useState(false)
  const link = `${window.location.origin}/verify/${type}/${id}`
  return (
    <section className="proof-link" aria-labelledby="proof-link">
      <h3 id="proof-link">Link to its verification</h3>
      <div className="command">
        <code data-testid="verify-link">{link}</code>
        <CopyButton text={link} what="link" />
      </div>
      <p>
        It discloses the id alone. Who opens it needs the proof, or an account that may read the {noun(type)}.
      </p>
      <button
        type="button"
        className="button"
        data-testid="show-qr"
        aria-expanded={isShown}
        onClick={() => setShown(!isShown)}
      >
        {isShown ? 'Hide QR code' : 'Show QR code'}
      </button>
      {isShown && (
        <>
          <QrCode text={link} />
          {isOwnComputer(window.location.hostname) && (
            <p className="notice">
              {window.location.host} is this computer only. Another device finds the page once the service has
              an address that others reach.
            </p>
          )}
        </>
      )}
    </section>
  )
}

const noun = (type: ProofType): string => (type.startsWith('entropy_') ? 'observation' : type)

const isOwnComputer = (host: string): boolean => /^(localhost|127\.[\d.]+|\[::1\])$/.test(host)
