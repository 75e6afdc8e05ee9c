// A choice of the twelve hash functions.
import { HASH_TYPES, type HashType, isHashType } from '../../../shared/proof/claims.ts'

type HashTypeSelectProps = {
  readonly label: string
  readonly value: HashType
  readonly onChange: (type: HashType) => void
}

export const HashTypeSelect = ({ label, value, onChange }: HashTypeSelectProps) => (
  <label className="labelled">
    {label}
    <select
      data-testid="hash-type"
      value={value}
      onChange={(event) => isHashType(event.target.value) && onChange(event.target.value)}
    >
      {Object.keys(HASH_TYPES).map((name) => (
        <option key={name} value={name}>
          {name}
        </option>
      ))}
    </select>
  </label>
)
