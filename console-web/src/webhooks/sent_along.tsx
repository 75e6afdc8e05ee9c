// Secrets of the owner's own that every delivery carries: a bearer secret, and headers as rows of name and value. What is
// stored shows only its names, and headers can only be replaced as a whole.
import { Button, IconButton } from '../ui/button.tsx'
import { Choice } from '../ui/form/choice.tsx'
import { FieldProblem, InputField } from '../ui/form/form_field.tsx'
import { Tags } from '../ui/shown_text.tsx'
import { type DraftParts, type HeaderRow, headersNamed, movesAway } from './endpoint_draft.ts'

export const SentAlong = (parts: DraftParts) => {
  const { endpoint, draft, problem, set } = parts
  // True when the typed address is on another host, so that nothing stored is sent there.
  const moves = movesAway(endpoint, draft)
  const hasSecret = endpoint?.authType === 'bearer'
  return (
    <>
      <Choice
        label="A secret of your own, sent along"
        note={
          draft.authType === 'none'
            ? 'Deliveries carry no Authorization header.'
            : 'Each delivery carries Authorization: Bearer with this secret.'
        }
        options={{ none: 'Nothing', bearer: 'Bearer secret' }}
        value={draft.authType}
        onChange={(authType) => set({ authType })}
      />
      {draft.authType === 'bearer' && (
        <InputField
          label="Secret"
          problem={problem('auth_secret')}
          note={
            hasSecret && moves
              ? 'The stored one stays with the host it was given for: type one for the new host.'
              : 'Stored sealed and never shown again.'
          }
          testId="secret"
          className="masked"
          value={draft.authSecret}
          placeholder={hasSecret && !moves ? 'Stored. Type a new one to replace it' : ''}
          onText={(authSecret) => set({ authSecret })}
          autoCapitalize="off"
          spellCheck={false}
        />
      )}
      <HeaderRows {...parts} />
    </>
  )
}

const MOST = 20

const HeaderRows = ({ endpoint, draft, problem, set }: DraftParts) => {
  const { headers } = draft
  const stored = endpoint?.headerNames ?? []
  return (
    <fieldset className="choice-field header-rows">
      <legend>Headers of your own</legend>
      <FieldProblem>{problem('custom_headers')}</FieldProblem>
      {headers === null ? (
        <div className="stack">
          <Tags words={stored} />
          <small>
            {movesAway(endpoint, draft)
              ? 'They stay with the host they were given for: give them again for the new one, or remove them.'
              : 'Their values are stored sealed and never shown. To change one, give all of them again.'}
          </small>
          <Button data-testid="replace-headers" onClick={() => set({ headers: headersNamed(stored) })}>
            Replace them
          </Button>
        </div>
      ) : (
        <>
          {headers.map((row, index) => {
            const wrong = problem(`custom_headers/${row.name.trim()}`)
            const change = (part: Partial<HeaderRow>): void =>
              set({ headers: headers.with(index, { ...row, ...part }) })
            return (
              <div key={row.key} className="header-row labelled">
                <input
                  aria-label={`Name of header ${index + 1}`}
                  placeholder="X-My-Header"
                  value={row.name}
                  aria-invalid={wrong !== undefined}
                  onChange={({ target }) => change({ name: target.value })}
                  autoComplete="off"
                  spellCheck={false}
                />
                <input
                  aria-label={`Value of header ${index + 1}`}
                  placeholder="value"
                  className="masked"
                  value={row.value}
                  aria-invalid={wrong !== undefined}
                  onChange={({ target }) => change({ value: target.value })}
                  autoComplete="off"
                  spellCheck={false}
                />
                <IconButton
                  icon="close"
                  label={`Remove header ${index + 1}`}
                  onClick={() => set({ headers: headers.toSpliced(index, 1) })}
                />
                <FieldProblem>{wrong}</FieldProblem>
              </div>
            )
          })}
          <p className="line">
            {headers.length < MOST && (
              <Button
                data-testid="add-header"
                onClick={() =>
                  set({ headers: [...headers, { key: (headers.at(-1)?.key ?? 0) + 1, name: '', value: '' }] })
                }
              >
                Add a header
              </Button>
            )}
            {stored.length > 0 && (
              <Button look="text" onClick={() => set({ headers: null })}>
                Keep the stored ones
              </Button>
            )}
          </p>
          {stored.length > 0 && headers.length === 0 && (
            <small>Saving like this removes all headers of your own.</small>
          )}
        </>
      )}
    </fieldset>
  )
}
