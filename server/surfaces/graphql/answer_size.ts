// How large an answer would be as JSON: a value is told under every name that it is asked for, however often it was read.

/** Shorter texts are taken as they are: escapes make little of them, and there are many. */
const SHORT = 256

/** Whether it has more bytes than so many. Stops as soon as that is known. */
export function isLargerThan(answer: unknown, bytes: number): boolean {
  let left = bytes
  const waiting: unknown[] = [answer]
  while (waiting.length > 0 && left >= 0) {
    const one = waiting.pop()
    if (typeof one === 'string') left -= textBytes(one)
    else if (typeof one !== 'object' || one === null) left -= String(one).length + 1
    else if (Array.isArray(one)) for (const member of one) waiting.push(member)
    else
      for (const [name, member] of Object.entries(one)) {
        left -= name.length + 4
        waiting.push(member)
      }
  }
  return left < 0
}

const textBytes = (text: string): number =>
  text.length <= SHORT ? text.length + 3 : Buffer.byteLength(JSON.stringify(text)) + 1
