// Sign-in: at the sign-in pages of the service, or with an API key, pasted here or received in a link
// (session/api_key.ts).
import './door.css'
import { type FormEvent, useId, useState } from 'react'
import { checkKey } from '../session/api_key.ts'
import { session, useWhySignedOut } from '../session/session.ts'
import { Check } from '../ui/form/choice.tsx'

export const SignInCard = () => {
  const why = useWhySignedOut()
  const [key, setKey] = useState('')
  const [remember, setRemember] = useState(false)
  const [checking, setChecking] = useState(false)
  /** What is wrong with the key. */
  const [problem, setProblem] = useState<string | null>(null)
  const id = useId()

  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    const given = key.trim()
    if (given === '') return setProblem('Paste your API key first.')
    setChecking(true)
    setProblem(null)
    const refused = await checkKey(given)
    setChecking(false)
    if (refused === null) session.signInWithKey(given, remember)
    else setProblem(refused)
  }

  return (
    <form className="card sign-in-card" onSubmit={submit} noValidate aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>Sign in</h2>
      {why !== null && problem === null && (
        <p className="notice" role="alert" data-testid="sign-in-message">
          {why}
        </p>
      )}
      {window.isSecureContext ? (
        <button
          type="button"
          className="button primary wide"
          data-testid="sign-in-account"
          onClick={() => session.signInWithAccount()}
        >
          Sign in with e-mail
        </button>
      ) : (
        <p className="fine-print">
          Sign-in with an e-mail address needs https; this page was loaded over http. A key works.
        </p>
      )}
      <p className="sign-in-or line">or</p>
      <label htmlFor={`${id}-key`}>API key</label>
      <input
        id={`${id}-key`}
        data-testid="key-input"
        type="password"
        value={key}
        onChange={(event) => setKey(event.target.value)}
        placeholder="phk_…"
        autoComplete="current-password"
        autoCapitalize="off"
        spellCheck={false}
        aria-invalid={problem !== null}
        aria-describedby={`${id}-problem`}
      />
      <p className="problem sign-in-problem" id={`${id}-problem`} role="alert">
        {problem !== null && <span data-testid="sign-in-message">{problem}</span>}
      </p>
      <Check isChecked={remember} testId="remember" onCheck={setRemember}>
        Keep me signed in on this device
      </Check>
      <button type="submit" className="button wide" data-testid="sign-in" disabled={checking}>
        {checking ? 'Checking…' : 'Sign in with the key'}
      </button>
      <p className="fine-print">
        A sign-in link carries the key behind the <code>#</code>, where no server and no log ever sees it.
      </p>
    </form>
  )
}
