// The mark of a step of a timeline that was checked.

export const stepMark = (ok: boolean) =>
  ok
    ? ({ 'data-tone': 'good', 'data-sign': '✓' } as const)
    : ({ 'data-tone': 'bad', 'data-sign': '!' } as const)
