// Secrets of the owner's own that every delivery carries: a bearer secret, and headers as rows of name and value. What is
// stored shows only its names, and headers can only be replaced as a whole.
import './webhooks.css'
import { Button, IconButton } from '../ui/button.tsx'
import { Choice } from '../ui/form/choice.tsx'
import { FieldProblem, InputField } from '../ui/form/form_field.tsx'
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
  const replace = (rows: readonly HeaderRow[] | null): void => set({ headers: rows })
  return (
    <fieldset className="choice-field header-rows">
      <legend>Headers of your own</legend>
      <FieldProblem>{problem('custom_headers')}</FieldProblem>
      {headers === null ? (
        <div className="stack">
          <p className="tags">
            {stored.map((name) => (
              <span key={name}>{name}</span>
            ))}
          </p>
          <small>
            {movesAway(endpoint, draft)
              ? 'They stay with the host they were given for: give them again for the new one, or remove them.'
              : 'Their values are stored sealed and never shown. To change one, give all of them again.'}
          </small>
          <Button data-testid="replace-headers" onClick={() => replace(headersNamed(stored))}>
            Replace them
          </Button>
        </div>
      ) : (
        <>
          {headers.map((row, index) => (
            <Row
              key={row.key}
              row={row}
              place={index + 1}
              problem={problem(`custom_headers/${row.name.trim()}`)}
              onChange={(part) => replace(headers.with(index, { ...row, ...part }))}
              onRemove={() => replace(headers.toSpliced(index, 1))}
            />
          ))}
          <p className="line">
            {headers.length < MOST && (
              <Button
                data-testid="add-header"
                onClick={() => replace([...headers, { key: (headers.at(-1)?.key ?? 0) + 1, name: '', value: '' }])}
              >
                Add a header
              </Button>
            )}
            {stored.length > 0 && (
              <Button look="text" onClick={() => replace(null)}>
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

type RowProps = {
  readonly row: HeaderRow
  readonly place: number
  readonly problem: string | undefined
  readonly onChange: (part: Partial<HeaderRow>) => void
  readonly onRemove: () => void
}

const Row = ({ row, place, problem, onChange, onRemove }: RowProps) => (
  <div className="header-row labelled">
    <input
      aria-label={`Name of header ${place}`}
      placeholder="X-My-Header"
      value={row.name}
      aria-invalid={problem !== undefined}
      onChange={({ target }) => onChange({ name: target.value })}
      autoComplete="off"
      spellCheck={false}
    />
    <input
      aria-label={`Value of header ${place}`}
      placeholder="value"
      className="masked"
      value={row.value}
      aria-invalid={problem !== undefined}
      onChange={({ target }) => onChange({ value: target.value })}
      autoComplete="off"
      spellCheck={false}
    />
    <IconButton icon="close" label={`Remove header ${place}`} onClick={onRemove} />
    <FieldProblem>{problem}</FieldProblem>
  </div>
)
