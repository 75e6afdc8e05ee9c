// Room at the left end of the strip, for the words about what was before.
export const BEGINNING_WIDTH = 176
