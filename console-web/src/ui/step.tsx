// A step of a timeline that was checked: its mark, and the two values where they differ.

export const stepMark = (ok: boolean) =>
  ok
    ? ({ 'data-tone': 'good', 'data-sign': '✓' } as const)
    : ({ 'data-tone': 'bad', 'data-sign': '!' } as const)

type DiffersProps = { readonly values: Readonly<Record<string, string | null>> }

/** Each value by whose it is. */
export const Differs = ({ values }: DiffersProps) => (
  <dl className="step-differs">
    {Object.entries(values).map(([whose, value]) => [
      <dt key={`${whose} name`}>{whose}</dt>,
      <dd key={whose}>
        <code>{value}</code>
      </dd>,
    ])}
  </dl>
)
