// How to check the same proof without this page, step by step: the files, and the command.
import './proofs.css'
import { Command } from '../ui/copy_button.tsx'
import { KEYRING_PATH } from './own_keyring.ts'
import { ownKeyringName, VERIFIER_ADDRESS, VERIFIER_NAME, verifyCommand } from './verifier_file.ts'

type LaterCheckProps = {
  readonly fileName: string
  /** The keyring file that has the key, when this service does not have it. */
  readonly foreignKeyring?: string | undefined
  /** The proof is about the digest of a file, which can be compared too. */
  readonly isAboutFile?: boolean
}

export const LaterCheck = ({ fileName, foreignKeyring, isAboutFile = false }: LaterCheckProps) => {
  return (
    <section className="part" aria-labelledby="later-check">
      <h3 id="later-check">Check it without this service</h3>
      <ol className="timeline">
        <li className="stack" data-sign="1">
          <p>
            Keep{' '}
            {foreignKeyring === undefined ? 'the keyring and the verifier' : 'the verifier and the keyring'}{' '}
            beside the proof, in one folder.
          </p>
          <p className="acts">
            {foreignKeyring === undefined && (
              <a className="button" href={KEYRING_PATH} download={ownKeyringName()} data-testid="download-keyring">
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
        </li>
        <li className="stack" data-sign="2">
          <p>
            On any computer with Node 20 or later, also without a network and when this service is gone, run
            there:
          </p>
          <Command text={verifyCommand(fileName, foreignKeyring)} testId="verify-command" />
          {isAboutFile && (
            <p>
              To compare your file too, add <code>--file</code> and its name.
            </p>
          )}
        </li>
      </ol>
    </section>
  )
}
