// Which account makes the items that stand for what arrives without an account. Whoever shows items tells those of this
// account as what they are; a name or claims alone say nothing, because everybody may write such claims.

export const ROUND_CREATOR_ID = '00000000-0000-7000-8000-726f756e6473'
