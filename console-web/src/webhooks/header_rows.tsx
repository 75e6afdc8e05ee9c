// Custom headers as rows of name and value. Stored headers show only their names, and can only be replaced as
// a whole.
import './webhooks.css'
import type { RefusedFields } from '../data/refused_fields.ts'
import { FieldProblem } from '../ui/form/form_field.tsx'
import { IconButton } from '../ui/icon_button.tsx'
import type { HeaderRow } from './endpoint_draft.ts'

type HeaderRowsProps = {
  /** Null while the stored headers are kept. */
  readonly rows: readonly HeaderRow[] | null
  readonly stored: readonly string[]
  readonly problems: RefusedFields['fields']
  /** True when the typed address is on another host, so that the stored headers are not sent there. */
  readonly moves: boolean
  readonly onChange: (rows: readonly HeaderRow[] | null) => void
}

const MOST = 20

export const HeaderRows = ({ rows, stored, problems, moves, onChange }: HeaderRowsProps) => (
  <fieldset className="choice-field header-rows">
    <legend>Headers of your own</legend>
    <FieldProblem>{problems.get('custom_headers')}</FieldProblem>
    {rows === null ? (
      <div className="kept">
        <p className="tags">
          {stored.map((name) => (
            <span key={name}>{name}</span>
          ))}
        </p>
        <small>
          {moves
            ? 'They stay with the host they were given for: give them again for the new one, or remove them.'
            : 'Their values are stored sealed and never shown. To change one, give all of them again.'}
        </small>
        <button
          type="button"
          className="button"
          data-testid="replace-headers"
          onClick={() => onChange(stored.map((name, key) => ({ key, name, value: '' })))}
        >
          Replace them
        </button>
      </div>
    ) : (
      <>
        {rows.map((row, index) => (
          <Row
            key={row.key}
            row={row}
            place={index + 1}
            problem={problems.get(`custom_headers/${row.name.trim()}`)}
            onChange={(next) => onChange(rows.map((one) => (one.key === row.key ? next : one)))}
            onRemove={() => onChange(rows.filter(({ key }) => key !== row.key))}
          />
        ))}
        <p className="row-actions">
          {rows.length < MOST && (
            <button
              type="button"
              className="button"
              data-testid="add-header"
              onClick={() => onChange([...rows, { key: nextKey(rows), name: '', value: '' }])}
            >
              Add a header
            </button>
          )}
          {stored.length > 0 && (
            <button type="button" className="text-button" onClick={() => onChange(null)}>
              Keep the stored ones
            </button>
          )}
        </p>
        {stored.length > 0 && rows.length === 0 && (
          <small>Saving like this removes all headers of your own.</small>
        )}
      </>
    )}
  </fieldset>
)

type RowProps = {
  readonly row: HeaderRow
  readonly place: number
  readonly problem: string | undefined
  readonly onChange: (row: HeaderRow) => void
  readonly onRemove: () => void
}

const Row = ({ row, place, problem, onChange, onRemove }: RowProps) => (
  <div className="header-row labelled">
    <input
      aria-label={`Name of header ${place}`}
      placeholder="X-My-Header"
      value={row.name}
      aria-invalid={problem !== undefined}
      onChange={({ target }) => onChange({ ...row, name: target.value })}
      autoComplete="off"
      spellCheck={false}
    />
    <input
      aria-label={`Value of header ${place}`}
      placeholder="value"
      className="masked"
      value={row.value}
      aria-invalid={problem !== undefined}
      onChange={({ target }) => onChange({ ...row, value: target.value })}
      autoComplete="off"
      spellCheck={false}
    />
    <IconButton icon="close" label={`Remove header ${place}`} onClick={onRemove} />
    <FieldProblem>{problem}</FieldProblem>
  </div>
)

const nextKey = (rows: readonly HeaderRow[]): number => Math.max(-1, ...rows.map(({ key }) => key)) + 1
