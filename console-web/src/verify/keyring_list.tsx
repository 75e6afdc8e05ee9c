// The keyrings whose keys count: the service's own, and those that the person adds because they trust them.
import type { NamedKeyring } from '../../../shared/proof/verify/keyring.ts'
import { KEYRING_PATH } from '../proofs/own_keyring.ts'
import { Button } from '../ui/button.tsx'
import { FileDrop } from '../ui/form/file_drop.tsx'
import { Problem } from '../ui/problem.tsx'
import { Card } from '../ui/section.tsx'
import { Shown, shownText } from '../ui/shown_text.tsx'
import type { Verification } from './use_verification.ts'

export const KeyringList = ({ keyrings, addKeyring, removeKeyring, keyringFailure }: Verification) => (
  <Card title="Whose keys count">
    <ul className="keyrings" data-testid="keyrings">
      {keyrings === null && <li>Asking this service for its keys…</li>}
      {keyrings?.map((keyring) => (
        <KeyringLine key={keyring.name} keyring={keyring} onRemove={removeKeyring} />
      ))}
    </ul>
    <details className="fold">
      <summary>Trust another service</summary>
      <p className="card-note">
        A keyring is the document a service publishes at <code>{KEYRING_PATH}</code>. Take it from where you
        know it is genuine: whoever gives you the keyring decides which proofs pass.
      </p>
      <FileDrop quiet caption="Add a keyring" accept=".json" testId="keyring-file" onFile={addKeyring} />
    </details>
    <Problem>{keyringFailure !== null && shownText(keyringFailure)}</Problem>
  </Card>
)

type KeyringLineProps = { readonly keyring: NamedKeyring; readonly onRemove: (name: string) => void }

const KeyringLine = ({ keyring: { name, own, keys, unloaded }, onRemove }: KeyringLineProps) => (
  <li data-unloaded={unloaded === true}>
    <span>
      <strong>{own === true ? window.location.host : <Shown text={name} />}</strong>
      <small>
        {unloaded === true
          ? 'Its keys could not be loaded.'
          : `${own === true ? 'this service' : 'added by you'} · ${shownText(keys.map(({ key_id }) => key_id).join(', '))}`}
      </small>
    </span>
    {own !== true && (
      <Button look="quiet" onClick={() => onRemove(name)}>
        Remove
      </Button>
    )}
  </li>
)
