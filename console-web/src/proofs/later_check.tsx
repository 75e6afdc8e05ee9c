// How to check the same proof without this page: the three files, and the command.
import './proofs.css'
import { CopyButton } from '../ui/copy_button.tsx'
import { KEYRING_PATH } from './own_keyring.ts'
import { keyringName, VERIFIER_ADDRESS, VERIFIER_NAME, verifyCommand } from './verifier_file.ts'

type LaterCheckProps = {
  readonly fileName: string
  /** The keyring file that has the key, when this service does not have it. */
  readonly foreignKeyring?: string | undefined
}

export const LaterCheck = ({ fileName, foreignKeyring }: LaterCheckProps) => {
  const ownKeyring = keyringName(window.location.host)
  const command = verifyCommand(fileName, foreignKeyring ?? ownKeyring)
  return (
    <section className="later-check" aria-labelledby="later-check">
      <h3 id="later-check">Check it without this service</h3>
      <p>
        Keep these beside the proof. With them it can be checked on any computer with Node 20 or later, also
        when this service is gone.
      </p>
      <p className="download-line">
        {foreignKeyring === undefined && (
          <a className="button" href={KEYRING_PATH} download={ownKeyring} data-testid="download-keyring">
            Keyring
          </a>
        )}
        <a
          className="button"
          href={VERIFIER_ADDRESS}
          download={VERIFIER_NAME}
          data-testid="download-verifier"
        >
          Verifier
        </a>
      </p>
      <div className="command">
        <code data-testid="verify-command">{command}</code>
        <CopyButton text={command} what="command" />
      </div>
    </section>
  )
}
