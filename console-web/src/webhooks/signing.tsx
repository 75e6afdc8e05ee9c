// How deliveries are signed: the choice, the key that is shown once, how a receiver checks it, and another key.
import { useRef, useState } from 'react'
import type { Api } from '../data/api_client.ts'
import { toldOnce } from '../data/resource.ts'
import type { Act } from '../data/use_asked.ts'
import { CodeField, TextBox } from '../ui/fields.tsx'
import { ActButton } from '../ui/form/act_button.tsx'
import { Choice, type Options } from '../ui/form/choice.tsx'
import { SelectField } from '../ui/form/form_field.tsx'
import { ShownOnce } from '../ui/form/shown_once.tsx'
import { dayAndTime } from '../ui/format.ts'
import { useServiceTime } from '../ui/use_now.ts'
import { type Endpoint, endpoints, type Signing } from './endpoint.ts'
import { changeTo } from './endpoint_draft.ts'
import { LANGUAGES, type Language, programOf } from './signature_check.ts'

const NAMES: Readonly<Record<Signing, string>> = { v1: 'Secret', v1a: 'Public key', none: 'Not signed' }

const NOTES: Readonly<Record<Signing, string>> = {
  v1: 'Signed with a secret that the service makes and shows once. Who checks a signature needs the secret (v1 of Standard Webhooks).',
  v1a: 'Signed with a key that stays with the service. Who checks a signature needs its public half, which is no secret (v1a, Ed25519).',
  none: 'Nothing shows that a delivery comes from this service.',
}

type SigningChoiceProps = { readonly value: Signing; readonly onChange: (signing: Signing) => void }

export const SigningChoice = ({ value, onChange }: SigningChoiceProps) => (
  <Choice label="Signatures" note={NOTES[value]} options={NAMES} value={value} onChange={onChange} />
)

type NewSecretProps = { readonly secret: string; readonly onDone: () => void }

/** The secret, and what a receiver does with it. */
export const NewSecret = ({ secret, onDone }: NewSecretProps) => (
  <div className="new-secret form-grid">
    <ShownOnce title="The secret that signs" what="secret" secret={secret} onDone={onDone}>
      Copy it now: it is not shown again. Give it to your receiver as WEBHOOK_SECRET; the programs below check
      with it.
    </ShownOnce>
    <SignatureCheck signing="v1" publicKeys={[]} />
  </div>
)

const SignatureCheck = (by: Pick<Endpoint, 'signing' | 'publicKeys'>) => {
  const [language, setLanguage] = useState<Language>('node')
  return (
    <div className="signature-check stack">
      <Choice
        label="How a receiver checks a signature"
        options={LANGUAGES}
        value={language}
        onChange={setLanguage}
      />
      <TextBox text={programOf(language, by)} what="program" testId="signature-program" />
    </div>
  )
}

export const SigningSection = ({ endpoint }: { endpoint: Endpoint }) => {
  const title = useRef<HTMLHeadingElement>(null)
  const [secret, setSecret] = useState<string | null>(null)
  const [overlap, setOverlap] = useState('86400')
  const [chosen, setChosen] = useState<Signing | null>(null)
  const { signing } = endpoint
  const wanted = chosen ?? signing
  const noun = signing === 'v1' ? 'secret' : 'key'
  const path = endpoints.at(endpoint.id)
  const rotate = async (api: Api, overlap: number): Promise<void> => {
    const answer = await api.post(`${path}/rotate-secret`, { data: { overlap } })
    setSecret(toldOnce(answer, 'signing_secret'))
  }
  const change: Act = async ({ api }) => {
    setSecret(null)
    await api.patch(path, changeTo(endpoint, { signing: wanted }))
    // Nobody has seen the secret that it begins with.
    if (wanted === 'v1') await rotate(api, 0)
    setChosen(null)
  }
  return (
    <section className="signing form-grid" aria-labelledby="signing">
      <h2 id="signing" className="section-title" ref={title} tabIndex={-1}>
        Signatures
      </h2>
      <Keys endpoint={endpoint} />
      {secret !== null && (
        <NewSecret
          secret={secret}
          onDone={() => {
            setSecret(null)
            title.current?.focus()
          }}
        />
      )}
      {signing !== 'none' && (
        <div className="rotate stack">
          <SelectField
            label={`How long the ${noun} of now signs beside the new one`}
            note={
              overlap === '0'
                ? 'Receivers refuse what comes until they have the new one.'
                : 'Meanwhile receivers can change over, one after the other.'
            }
            testId="overlap"
            value={overlap}
            options={OVERLAPS}
            onChoose={setOverlap}
          />
          <ActButton
            caption={`Make a new ${noun}`}
            running="Making it…"
            testId="rotate"
            act={({ api }) => rotate(api, Number(overlap))}
          />
        </div>
      )}
      {signing !== 'none' && secret === null && (
        <details className="fold">
          <summary>Programs that check a signature</summary>
          <SignatureCheck {...endpoint} />
        </details>
      )}
      <details className="fold">
        <summary>Sign deliveries another way</summary>
        <SigningChoice value={wanted} onChange={setChosen} />
        <ActButton
          caption="Change it"
          running="Changing…"
          testId="change-signing"
          disabled={wanted === signing}
          act={change}
        >
          <p className="card-note">The keys of now end at once, and receivers need the new one.</p>
        </ActButton>
      </details>
    </section>
  )
}

/** By seconds. */
const OVERLAPS: Options<string> = [
  ['0', 'Not at all: somebody else has it'],
  ['3600', 'For an hour'],
  ['86400', 'For a day'],
  ['604800', 'For 7 days'],
]

/** Which keys sign, and until when. */
const Keys = ({ endpoint: { signing, publicKeys, formerUntil } }: { endpoint: Endpoint }) => {
  const hasFormer = useServiceTime((now) => Date.parse(formerUntil ?? '') > now)
  return (
    <div data-testid="signing-keys">
      <p className="card-note">{NOTES[signing]}</p>
      {publicKeys.length > 0 && (
        <dl className="fields box">
          {publicKeys.map((key, index) => (
            <CodeField key={key} name={index === 0 ? 'public key' : 'an earlier one'} value={key} />
          ))}
        </dl>
      )}
      {formerUntil !== null && hasFormer && (
        <p className="notice" data-tone="calm" data-testid="former-until">
          What came before the newest key signs as well, until {dayAndTime(formerUntil)} at the latest.
          Deliveries carry all the signatures, and one that is right is enough.
        </p>
      )}
    </div>
  )
}
