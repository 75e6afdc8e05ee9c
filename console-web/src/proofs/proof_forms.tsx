// The forms in which a proof can be downloaded.

import type { ProofInput } from '../../../shared/verifier/read_any_bundle.ts'
import { Choice } from '../ui/form/choice.tsx'

export type ProofForm = {
  readonly format: 'json' | 'cbor'
  readonly witnesses: 'all' | 'none'
  readonly layout: 'published' | 'compact'
}

/** Leaves out the defaults of the service. */
export const requestOf = ({ format, witnesses, layout }: ProofForm): Omit<ProofInput, 'id' | 'type'> => ({
  format,
  layout,
  ...(witnesses === 'none' ? { witnesses: [] } : {}),
})

type ProofFormsProps = { readonly form: ProofForm; readonly onChange: (form: ProofForm) => void }

export const ProofForms = ({ form, onChange }: ProofFormsProps) => (
  <div className="form-grid">
    <Choice
      label="Format"
      note="CBOR is the same in fewer bytes."
      options={{ json: 'JSON', cbor: 'CBOR' }}
      value={form.format}
      onChange={(format) => onChange({ ...form, format })}
    />
    <Choice
      label="Witnesses"
      note="They tell after which moment it was submitted."
      options={{ all: 'All', none: 'None' }}
      value={form.witnesses}
      onChange={(witnesses) => onChange({ ...form, witnesses })}
    />
    <Choice
      label="Layout"
      note="The compact layout is for old clients; it leaves out what they cannot read."
      options={{ published: 'Published', compact: 'Compact' }}
      value={form.layout}
      onChange={(layout) => onChange({ ...form, layout })}
    />
  </div>
)
