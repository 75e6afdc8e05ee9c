// How to check the same proof without this page, step by step: the files, and the command. The command-line verifier is the
// same code as in this page, for a computer without it.
import './proofs.css'
import verifierAddress from '../../../server/client/dist/pharos.mjs?url'
import { quoted } from '../data/curl.ts'
import { Command } from '../ui/copy_button.tsx'
import { KEYRING_PATH } from './own_keyring.ts'

type LaterCheckProps = {
  readonly fileName: string
  /** The keyring file that has the key, when this service does not have it. */
  readonly foreignKeyring?: string | undefined
  /** The proof is about the digest of a file, which can be compared too. */
  readonly isAboutFile?: boolean
}

export const LaterCheck = ({ fileName, foreignKeyring, isAboutFile = false }: LaterCheckProps) => (
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
            <a
              className="button"
              href={KEYRING_PATH}
              download={ownKeyringName()}
              data-testid="download-keyring"
            >
              Keyring
            </a>
          )}
          <a
            className="button"
            href={verifierAddress}
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

const VERIFIER_NAME = 'pharos.mjs'

/** Such as `pharos-keyring-localhost-4000.json`. */
const ownKeyringName = (): string => `pharos-keyring-${window.location.host.replace(/[^\w.-]+/g, '-')}.json`

/** The command that checks a downloaded proof offline with a keyring file. */
export const verifyCommand = (fileName: string, keyringFile = ownKeyringName()): string =>
  `node ${VERIFIER_NAME} verify ${shellWord(fileName)} --keyring ${shellWord(keyringFile)} --offline`

/** A plain word needs no quotes. */
const shellWord = (text: string): string => (/^[\w./-]+$/.test(text) ? text : quoted(text))
